//! Tells the linker that Node.js provides the functions of its interface.

fn main() {
    napi_build::setup();
}
