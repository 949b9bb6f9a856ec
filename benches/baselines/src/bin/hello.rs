//! Starts, writes a line and ends.

fn main() {
    println!("Hello, world!");
}
