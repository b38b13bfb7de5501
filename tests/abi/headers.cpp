// flexsn.hpp is C++17 and stands alone; twice is once.
#include <flexsn/flexsn.hpp>

#include <flexsn/flexsn.hpp>

static_assert(!std::is_copy_constructible_v<flexsn::Model> && std::is_nothrow_move_constructible_v<flexsn::Model>);
static_assert(!std::is_copy_constructible_v<flexsn::Neuron> && std::is_nothrow_move_constructible_v<flexsn::Neuron>);
static_assert(noexcept(std::declval<flexsn::Bound &>().run()));
static_assert(std::is_aggregate_v<flexsn::Options> && std::is_aggregate_v<flexsn::Call>);
