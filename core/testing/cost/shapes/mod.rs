//! Shapes of input, as data. To add one, add a line to the list of its reader: a name, the start, the units that fill
//! the size one after the other with an equal share each, and the end. `{}` in a unit is replaced by the number of its
//! copy. A shape that is not text has a function of its own.

pub mod feed;
pub mod fix;
pub mod gzip;
pub mod page;
pub mod robots;
pub mod text;
pub mod write;
pub mod xml;

pub struct Shape {
    pub name: &'static str,
    make: Make,
}

enum Make {
    Text(&'static str, &'static [&'static str], &'static str),
    Bytes(fn(usize) -> Vec<u8>),
}

pub const fn text(name: &'static str, head: &'static str, units: &'static [&'static str], tail: &'static str) -> Shape {
    Shape {
        name,
        make: Make::Text(head, units, tail),
    }
}

pub const fn bytes(name: &'static str, make: fn(usize) -> Vec<u8>) -> Shape {
    Shape {
        name,
        make: Make::Bytes(make),
    }
}

impl Shape {
    /// Builds the shape with approximately this many bytes.
    pub fn build(&self, size: usize) -> Vec<u8> {
        match self.make {
            Make::Bytes(make) => make(size),
            Make::Text(head, units, tail) => filled(head, units, tail, size).into_bytes(),
        }
    }
}

pub fn filled(head: &str, units: &[&str], tail: &str, size: usize) -> String {
    let mut out = head.to_owned();
    for (place, unit) in units.iter().enumerate() {
        let end = head.len() + size * (place + 1) / units.len();
        let mut copy = 0;
        while out.len() < end {
            match unit.split_once("{}") {
                None => out.push_str(unit),
                Some(_) => out.push_str(&unit.replace("{}", &copy.to_string())),
            }
            copy += 1;
        }
    }
    out.push_str(tail);
    out
}
