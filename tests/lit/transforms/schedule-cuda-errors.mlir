// RUN: flexsn-opt %s -verify-diagnostics --pass-pipeline="builtin.module(scan.kernel(schedule-cuda))"

// expected-error @below {{the step has 130 states, inputs and outputs; a kernel takes at most 128}}
scan.kernel @too_many_states inference operands [] states [
    "n0", "n1", "n2", "n3", "n4", "n5", "n6", "n7", "n8", "n9", "n10", "n11", "n12", "n13", "n14", "n15",
    "n16", "n17", "n18", "n19", "n20", "n21", "n22", "n23", "n24", "n25", "n26", "n27", "n28", "n29", "n30",
    "n31", "n32", "n33", "n34", "n35", "n36", "n37", "n38", "n39", "n40", "n41", "n42", "n43", "n44", "n45",
    "n46", "n47", "n48", "n49", "n50", "n51", "n52", "n53", "n54", "n55", "n56", "n57", "n58", "n59", "n60",
    "n61", "n62", "n63", "n64", "n65", "n66", "n67", "n68", "n69", "n70", "n71", "n72", "n73", "n74", "n75",
    "n76", "n77", "n78", "n79", "n80", "n81", "n82", "n83", "n84", "n85", "n86", "n87", "n88", "n89", "n90",
    "n91", "n92", "n93", "n94", "n95", "n96", "n97", "n98", "n99", "n100", "n101", "n102", "n103", "n104",
    "n105", "n106", "n107", "n108", "n109", "n110", "n111", "n112", "n113", "n114", "n115", "n116", "n117",
    "n118", "n119", "n120", "n121", "n122", "n123", "n124", "n125", "n126", "n127", "n128", "n129"]
prologue {
  scan.yield
} init {
  %zero = arith.constant 0 : i32
  scan.yield
      %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero,
      %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero,
      %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero,
      %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero,
      %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero,
      %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero,
      %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero,
      %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero,
      %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero,
      %zero, %zero, %zero, %zero
      : i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32,
      i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32,
      i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32,
      i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32,
      i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32,
      i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32,
      i32, i32, i32, i32, i32, i32, i32, i32, i32, i32
} step {
^bb0(
    %n0: i32, %n1: i32, %n2: i32, %n3: i32, %n4: i32, %n5: i32, %n6: i32, %n7: i32, %n8: i32, %n9: i32,
    %n10: i32, %n11: i32, %n12: i32, %n13: i32, %n14: i32, %n15: i32, %n16: i32, %n17: i32, %n18: i32,
    %n19: i32, %n20: i32, %n21: i32, %n22: i32, %n23: i32, %n24: i32, %n25: i32, %n26: i32, %n27: i32,
    %n28: i32, %n29: i32, %n30: i32, %n31: i32, %n32: i32, %n33: i32, %n34: i32, %n35: i32, %n36: i32,
    %n37: i32, %n38: i32, %n39: i32, %n40: i32, %n41: i32, %n42: i32, %n43: i32, %n44: i32, %n45: i32,
    %n46: i32, %n47: i32, %n48: i32, %n49: i32, %n50: i32, %n51: i32, %n52: i32, %n53: i32, %n54: i32,
    %n55: i32, %n56: i32, %n57: i32, %n58: i32, %n59: i32, %n60: i32, %n61: i32, %n62: i32, %n63: i32,
    %n64: i32, %n65: i32, %n66: i32, %n67: i32, %n68: i32, %n69: i32, %n70: i32, %n71: i32, %n72: i32,
    %n73: i32, %n74: i32, %n75: i32, %n76: i32, %n77: i32, %n78: i32, %n79: i32, %n80: i32, %n81: i32,
    %n82: i32, %n83: i32, %n84: i32, %n85: i32, %n86: i32, %n87: i32, %n88: i32, %n89: i32, %n90: i32,
    %n91: i32, %n92: i32, %n93: i32, %n94: i32, %n95: i32, %n96: i32, %n97: i32, %n98: i32, %n99: i32,
    %n100: i32, %n101: i32, %n102: i32, %n103: i32, %n104: i32, %n105: i32, %n106: i32, %n107: i32,
    %n108: i32, %n109: i32, %n110: i32, %n111: i32, %n112: i32, %n113: i32, %n114: i32, %n115: i32,
    %n116: i32, %n117: i32, %n118: i32, %n119: i32, %n120: i32, %n121: i32, %n122: i32, %n123: i32,
    %n124: i32, %n125: i32, %n126: i32, %n127: i32, %n128: i32, %n129: i32):
  scan.yield
      %n0, %n1, %n2, %n3, %n4, %n5, %n6, %n7, %n8, %n9, %n10, %n11, %n12, %n13, %n14, %n15, %n16, %n17, %n18,
      %n19, %n20, %n21, %n22, %n23, %n24, %n25, %n26, %n27, %n28, %n29, %n30, %n31, %n32, %n33, %n34, %n35,
      %n36, %n37, %n38, %n39, %n40, %n41, %n42, %n43, %n44, %n45, %n46, %n47, %n48, %n49, %n50, %n51, %n52,
      %n53, %n54, %n55, %n56, %n57, %n58, %n59, %n60, %n61, %n62, %n63, %n64, %n65, %n66, %n67, %n68, %n69,
      %n70, %n71, %n72, %n73, %n74, %n75, %n76, %n77, %n78, %n79, %n80, %n81, %n82, %n83, %n84, %n85, %n86,
      %n87, %n88, %n89, %n90, %n91, %n92, %n93, %n94, %n95, %n96, %n97, %n98, %n99, %n100, %n101, %n102,
      %n103, %n104, %n105, %n106, %n107, %n108, %n109, %n110, %n111, %n112, %n113, %n114, %n115, %n116,
      %n117, %n118, %n119, %n120, %n121, %n122, %n123, %n124, %n125, %n126, %n127, %n128, %n129
      : i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32,
      i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32,
      i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32,
      i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32,
      i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32,
      i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32,
      i32, i32, i32, i32, i32, i32, i32, i32, i32, i32
}
