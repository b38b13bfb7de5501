// The checker of one model, shared by the Check*.cpp files: each has one part of the language, this header what passes
// between them. Nothing else includes it; the door is check() in Frontend.h.
#pragma once

#include "compiler/frontend/Frontend.h"
#include "compiler/frontend/Functions.h"
#include "compiler/frontend/Names.h"
#include "compiler/frontend/Surrogates.h"

#include <functional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace flexsn::checking {

/// A checked expression, or nothing where an error was reported: nothing silences everything above it.
struct Typed {
  const Expr *expr = nullptr;
  /// Made of whole-number literals alone; stands as Int until it takes the other operand's type, else Float (rule 3).
  bool open = false;

  explicit operator bool() const { return expr != nullptr; }
  const Expr *operator->() const { return expr; }
};

/// Where an expression stands decides what it may read (rules 4, 6, 11).
enum class Place : uint8_t { Step, Constant, Initial, Invariant, Refractory, SurrogateBody };

/// What a name of a model stands for.
struct Symbol {
  enum class Kind : uint8_t { Input, Param, State, Const, Assigned };
  enum class Progress : uint8_t { Pending, Busy, Done, Failed }; ///< of a const, which may stand behind its readers

  Kind kind = Kind::Assigned;
  Span span;                      ///< where it is declared or first assigned
  const Value *current = nullptr; ///< the latest version; null before the first assignment
  std::optional<Type> type;       ///< the declared type, which every assignment is converted to
  std::optional<unsigned> lanes;  ///< the declared lanes
  unsigned versions = 0;
  bool poisoned = false; ///< its assignment had an error: reads of it are silent
  bool isDt = false;
  bool variesByStep = false;                  ///< Param with the dim step
  const syntax::Declared *declared = nullptr; ///< Const: what is evaluated when it is first read
  Progress progress = Progress::Pending;
  Typed constant;
};

/// A `def` or `surrogate` of the file or the model.
struct Definition {
  const syntax::Statement *statement = nullptr;
  bool ofFile = false; ///< outside any model: sees other definitions of the file alone
  bool used = false;
  bool busy = false;                              ///< being put in place: a second time is a recursion
  const SurrogateDefinition *surrogate = nullptr; ///< once a user's surrogate is checked
  bool failed = false;
};

/// The arguments of the `def` or user surrogate whose body is being checked; hides every name of the model.
struct Frame {
  const Definition *definition;
  std::unordered_map<std::string_view, Typed> locals;
};

/// What prev() and delay() suppose of a name whose last version is not known yet.
struct Shape {
  Type type = Type::Float;
  unsigned lanes = 1;
  bool operator==(const Shape &) const = default;
};
using Shapes = std::unordered_map<std::string, Shape>;

/// A parameter of anything that is called with positional and keyword arguments.
struct Formal {
  std::string_view name;
  bool optional = false;
};

using Definitions = std::unordered_map<std::string_view, Definition>;

/// What a file defines for all of its models.
struct FileScope {
  Definitions definitions;
  std::vector<std::string> order;              ///< their names as the text has them
  std::unordered_set<std::string> brokenNames; ///< what definitions mention that the parser gave up
};

class ModelChecker {
public:
  ModelChecker(std::shared_ptr<const Source> source, const syntax::Model &tree, const FileScope &file,
               const CheckOptions &options, Diagnostics &diagnostics, const Shapes &assumed);

  /// The checked model; incomplete where an error was reported.
  std::shared_ptr<Model> run();
  /// Verifies the file's own definitions, used or not; the model is an empty one.
  void checkFileDefinitions();
  /// Whether the model has an error, also one that the parser or another model reported.
  bool hasFailed() const { return failed; }
  /// What names read by prev() or delay() turned out to be.
  const Shapes &observed() const { return shapes; }

private:
  template <class... Args, class... Values>
  Diagnostic &report(const DiagnosticSpec<Args...> &spec, Span span, const Values &...values) {
    failed = true;
    return diagnostics.report(spec, span, values...);
  }

  // CheckDeclarations.cpp: names, dims, states.
  struct Dims {
    std::vector<Dim> dims;
    unsigned lanes = 1;
    bool known = true; ///< the lanes could be read
  };
  void declareNames();
  void declareAssigned();
  void declareAll(const syntax::Statement &statement, Symbol::Kind kind);
  void declare(const syntax::Name &name, Symbol symbol);
  void declareDefinition(const syntax::Statement &statement);
  void elaborate(const syntax::Statement &statement);
  void refuseAttributes(const syntax::Declared &declared, syntax::StatementKind kind);
  const Value *declaredValue(const syntax::Item &item, Symbol &symbol, Value::Kind kind, const Dims &dims);
  void elaborateInput(const syntax::Declared &declared, Symbol &symbol);
  void elaborateState(const syntax::Declared &declared, Symbol &symbol);
  void elaborateConst(const syntax::Declared &declared, Symbol &symbol);
  void initialValues();
  std::optional<Type> typeOf(const syntax::Item &item);
  Dims dimsOf(const syntax::Item &item, std::string_view what);
  void addDim(std::vector<Dim> &dims, Dim dim, const syntax::Dim &written);
  std::optional<unsigned> lanesOf(const syntax::Dim &dim);
  bool wholeInside(double number, std::string_view what, unsigned low, unsigned high, Span span);

  // CheckConstants.cpp
  Typed constantValue(const std::string &name, Symbol &symbol);
  void reportNoBool(const Typed &value, const std::string &name);
  Typed typedConstant(Typed value, Type type, const std::string &name, Span span);
  std::optional<double> constantNumber(const syntax::Expr &expr, const std::string &what, Type type = Type::Float,
                                       const std::string &name = {});

  // CheckResults.cpp: outputs and states at the end of the step.
  void elaborateOutput(const syntax::Declared &declared);
  void finishOutputs();
  void reportMissingOutput(const syntax::Name &name);
  void finishStates();

  // CheckParams.cpp: defaults, ranges, transforms, dt.
  void elaborateParam(const syntax::Declared &declared, Symbol &symbol);
  void elaborateDt(const syntax::Statement &statement);
  void checkAttributes(const syntax::Declared &declared, Param &param);
  bool checkRange(const syntax::Range &range, Param &param);
  bool checkTransform(const syntax::Name &name, Param &param);
  void finishParam(Param param, Symbol &symbol);
  Param *paramOf(const Value *value);

  // CheckStatements.cpp: order, assignment, truncate.
  void checkSteps();
  void assign(const syntax::Statement &statement);
  bool assignable(const syntax::Name &name, const Symbol &symbol);
  Typed augmented(const syntax::Statement &statement, Symbol &symbol, Typed value);
  Typed toDeclared(Typed value, Symbol &symbol, const syntax::Name &name);
  Typed intoInt(Typed value, const Symbol &symbol, const syntax::Name &name);
  Value &newVersion(const std::string &name, Symbol &symbol, const Expr &expr, Span span);
  void noteMeaning(Value &value, const Expr &expr);
  void truncate(const syntax::Statement &statement);

  // CheckRefractory.cpp
  void refractory(const syntax::Statement &statement);
  bool silencedName(const syntax::Statement &statement, Refractory &result);
  bool heldStates(const syntax::Statement &statement, Refractory &result);
  bool refractorySteps(const syntax::Statement &statement, Refractory &result);
  std::optional<double> atDefaults(const Expr &expr) const;
  const Param *learnableIn(const Expr &expr);

  // CheckOde.cpp: groups of ODE lines and their solvers.
  struct Solver {
    flexsn::Method method = flexsn::Method::Euler;
    unsigned substeps = 1;
  };
  void odeGroup(const std::vector<const syntax::Statement *> &lines);
  void method(const syntax::Statement &statement);
  std::optional<Solver> solver(const syntax::NamedCall &call);
  Symbol *odeState(const syntax::Statement &line);
  bool sameSolver(const std::vector<Solver> &solvers) const;

  // CheckExpr.cpp: operators.
  Typed check(const syntax::Expr &expr);
  Typed checkNode(const syntax::Expr &expr);
  Typed checkBinaryChain(const syntax::Expr &expr);
  Typed binary(const syntax::Expr &node, Typed left, Typed right);
  Typed arithmetic(Op op, Typed left, Typed right, Span span, Span opSpan);
  Typed comparison(Op op, Typed left, Typed right, Span span);
  Typed power(Typed base, Typed exponent, Span span, Span opSpan);
  Typed unary(const syntax::Expr &node);
  Typed negate(Typed operand, Span span);
  Typed index(const syntax::Expr &node);
  Typed select(Typed condition, Typed then, Typed otherwise, Span span);
  Typed condition(const syntax::Expr &expr);
  Typed asCondition(Typed checked, const syntax::Expr &expr);

  // CheckNames.cpp: what a name means here.
  Typed readName(const syntax::Expr &expr);
  Typed readSymbol(const syntax::Name &name, Symbol &symbol);
  Typed read(const Value *value, Span span);
  bool readable(const syntax::Name &name, const Symbol &symbol);
  void unknownName(const syntax::Name &name);
  void unknownFunction(const syntax::Expr &call);
  std::vector<std::string> visibleNames() const;
  std::vector<std::string> definedNames() const;
  bool explained(const std::string &name, const std::string &unread = "");
  Symbol *symbolOf(std::string_view name);
  Definition *definitionOf(std::string_view name);

  // CheckCalls.cpp: functions and `def`.
  Typed call(const syntax::Expr &expr);
  Typed function(const syntax::Expr &expr, const FunctionInfo &info);
  Typed elementwise(const FunctionInfo &info, std::vector<Typed> operands, Span span);
  Typed lanesFunction(const FunctionInfo &info, std::vector<Typed> operands, Span span);
  Typed inlined(const syntax::Expr &expr, Definition &definition);
  const Value *boundValue(std::string_view name, const Expr &argument);
  Typed letAround(const std::vector<std::pair<const Value *, const Expr *>> &lets, Typed body, Span span);
  std::optional<std::vector<const syntax::Expr *>> bind(const syntax::Name &callee,
                                                        const std::vector<syntax::Argument> &arguments,
                                                        const std::vector<Formal> &formals, Span span);
  bool complete(const syntax::Name &callee, const std::vector<Formal> &formals,
                const std::vector<const syntax::Expr *> &bound, size_t given, Span span);
  void reportUnknownArgument(const syntax::Name &callee, const syntax::Name &keyword,
                             const std::vector<std::string> &names);
  bool noKeywords(const syntax::Expr &call);

  // CheckForms.cpp: where, quant, detach, gscale, prev, delay, random numbers.
  Typed form(const syntax::Expr &expr, const CallFormInfo &info);
  Typed whereForm(const syntax::Expr &expr);
  Typed quantForm(const syntax::Expr &expr);
  Typed detachForm(const syntax::Expr &expr);
  Typed scaleForm(const syntax::Expr &expr);
  Typed prevForm(const syntax::Expr &expr);
  Typed delayForm(const syntax::Expr &expr);
  Typed randomForm(const syntax::Expr &expr, Op op);
  bool callable(const syntax::Expr &expr, CallForm form);
  Typed history(const syntax::Expr &call, const syntax::Expr &written, Op op, std::vector<const Expr *> operands,
                int64_t steps);
  Shape shapeOf(const std::string &name, const Symbol &symbol) const;
  bool validDelay(Typed delay, const syntax::Expr &written, const std::string &name);
  void finishHistory();

  // CheckSpikes.cpp: spike and surrogates.
  struct Chosen {
    const SurrogateInfo *builtin = nullptr;
    const SurrogateDefinition *user = nullptr;
    std::vector<const Expr *> arguments; ///< behind x
  };
  Typed spikeForm(const syntax::Expr &expr);
  Typed spikeOperand(const syntax::Expr &expr);
  Typed spikeWith(Typed x, const Chosen &chosen, bool strict, Span span);
  Typed userSurrogate(const syntax::Expr &expr, Definition &definition);
  std::optional<Chosen> chosen(const syntax::Name &name, const std::vector<syntax::Argument> &arguments, Span span,
                               const std::string &first);
  std::optional<Chosen> builtinSurrogate(const syntax::Name &name, const SurrogateInfo &info,
                                         const std::vector<syntax::Argument> &arguments, Span span);
  std::optional<Chosen> userChoice(const syntax::Name &name, Definition &definition,
                                   const std::vector<syntax::Argument> &arguments, Span span);
  const Expr *surrogateArgument(const syntax::Expr &expr, const std::string &surrogate,
                                const SurrogateParameter &parameter);
  Typed userArgument(const syntax::Expr *written, const syntax::Statement &statement, size_t index);
  Chosen builtinDefault(std::string_view name, Span span);
  void defaultSurrogate(const syntax::Statement &statement);
  std::string distance(const std::string &first, const syntax::Expr &threshold) const;
  void unknownSurrogate(const syntax::Name &name);

  // CheckOptions.cpp: what a request changes.
  void surrogateOption();
  std::optional<Chosen> optionChoice(const syntax::NamedCall &call);
  static std::optional<double> plainNumber(const syntax::Expr &expr);
  void applyDims(Param &param, const syntax::Item &item);

  // CheckSurrogates.cpp: the user's own surrogates, and definitions that nobody uses.
  const SurrogateDefinition *checkSurrogate(Definition &definition);
  bool surrogateParameters(const syntax::Statement &statement, SurrogateDefinition &result, Frame &inner);
  bool surrogateGradients(const syntax::Statement &statement, SurrogateDefinition &result);
  const Expr *surrogatePart(const syntax::Expr &expr);
  void checkParameters(const syntax::Statement &statement);
  void checkUnused(const std::vector<std::string> &names);
  void checkNamesAlone(const syntax::Expr &root);

  // Types.cpp: nodes and conversions.
  Value &addValue(Value::Kind kind, std::string name, Span span);
  Expr *make(Op op, Type type, Span span, std::vector<const Expr *> operands = {});
  Typed constant(double number, Type type, Span span, bool open = false);
  Typed convert(Typed value, Type type, Span span);
  const Expr *retype(const Expr &open, Type type);
  Typed closed(Typed value);
  Typed real(Typed value);
  Typed numeric(Typed value);
  bool unify(Typed &left, Typed &right);
  const Expr *widen(const Expr *expr, unsigned lanes);
  bool unifyLanes(std::vector<Typed> &operands, Span span);
  bool intFits(double number, Span span);

  // Fold.cpp: constants.
  Typed folded(double number, Type type, bool open, Span span, const std::vector<Typed> &operands);
  bool allConstant(const std::vector<Typed> &operands) const;

  bool isInvariant(const Expr &expr) const;
  Typed detachedInReset(Typed value, Span span);
  std::string text(Span span) const { return std::string(source->text(span)); }
  std::string describe(const Symbol &symbol) const;
  std::string placeRule() const;

  std::shared_ptr<const Source> source;
  const syntax::Model &tree;
  const FileScope &file;
  const CheckOptions &options;
  Diagnostics &diagnostics;
  const Shapes &assumed;

  std::shared_ptr<Model> model = std::make_shared<Model>();
  std::unordered_map<std::string, Symbol> symbols;
  std::vector<std::string> symbolOrder; ///< for suggestions, which must not depend on a hash
  Definitions definitions;              ///< of the model
  std::vector<std::string> definitionOrder;
  Definitions fileDefinitions; ///< those of the file that this model came to use
  /// Whether a name may have been declared by a statement that the parser gave up; `unread` stands for the name of one
  /// that could not be read: "" of a value, "()" of what is called.
  bool isBroken(const std::string &name, const std::string &unread = "") const {
    const auto mentions = [&](const auto &names) { return names.contains(name) || names.contains(unread); };
    return mentions(brokenNames) || mentions(file.brokenNames);
  }
  std::unordered_set<std::string> brokenNames;       ///< what statements mention that the parser gave up
  std::unordered_set<std::string> brokenParams;      ///< whose attributes had an error
  std::unordered_set<std::string> reportedNames;     ///< unknown names are reported once
  std::unordered_set<const Value *> invariantValues; ///< versions that no step changes
  std::vector<std::string> spikeOrder;               ///< names assigned from spike: candidates of `refractory`
  std::vector<const syntax::Declared *> outputs;
  std::vector<std::pair<const syntax::Declared *, size_t>> initials;
  std::vector<std::pair<Expr *, std::string>> histories; ///< prev and delay, whose `value` is set at the end
  Shapes shapes;
  std::optional<Chosen> modelSurrogate;
  std::optional<Solver> modelSolver;
  const syntax::Statement *surrogateLine = nullptr, *methodLine = nullptr;
  const Value *dt = nullptr;

  flexsn::Section section = flexsn::Section::None;
  Place place = Place::Step;
  std::string placeWords; ///< "the default of 'tau'": what a Constant or Invariant is
  Frame *frame = nullptr;
  unsigned depth = 0;
  bool failed = false;
  bool tooLarge = false;
  unsigned looks = 0; ///< at nodes of the tree, each `def` once per call
  int64_t draws = 0;
  unsigned bindings = 0;
};

/// Gives a variable another value for a scope.
template <class T> class Scoped {
public:
  Scoped(T &variable, T value) : variable(variable), saved(std::exchange(variable, std::move(value))) {}
  ~Scoped() { variable = std::move(saved); }
  Scoped(const Scoped &) = delete;

private:
  T &variable;
  T saved;
};

} // namespace flexsn::checking
