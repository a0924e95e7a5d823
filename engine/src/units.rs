//! Quantities that carry their unit in their type, so that bytes are never added to FLOPs.

use std::ops::{Add, AddAssign, Div, Mul, Sub};

macro_rules! quantity {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
        pub(crate) struct $name(pub(crate) f64);

        impl $name {
            pub(crate) const ZERO: Self = Self(0.0);
        }

        impl Add for $name {
            type Output = Self;
            fn add(self, other: Self) -> Self {
                Self(self.0 + other.0)
            }
        }

        impl AddAssign for $name {
            fn add_assign(&mut self, other: Self) {
                self.0 += other.0;
            }
        }

        impl Sub for $name {
            type Output = Self;
            fn sub(self, other: Self) -> Self {
                Self(self.0 - other.0)
            }
        }

        impl Mul<f64> for $name {
            type Output = Self;
            fn mul(self, factor: f64) -> Self {
                Self(self.0 * factor)
            }
        }

        impl Div<f64> for $name {
            type Output = Self;
            fn div(self, divisor: f64) -> Self {
                Self(self.0 / divisor)
            }
        }

        impl std::iter::Sum for $name {
            fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
                all.fold(Self::ZERO, Add::add)
            }
        }
    };
}

quantity! {
    /// Bytes.
    Bytes
}
quantity! {
    /// Floating-point operations.
    Flops
}
quantity! {
    /// Seconds.
    Seconds
}
quantity! {
    /// Bytes per second.
    BytesPerSecond
}
quantity! {
    /// Floating-point operations per second.
    FlopsPerSecond
}

impl Div<BytesPerSecond> for Bytes {
    type Output = Seconds;
    fn div(self, rate: BytesPerSecond) -> Seconds {
        Seconds(self.0 / rate.0)
    }
}

impl Div<FlopsPerSecond> for Flops {
    type Output = Seconds;
    fn div(self, rate: FlopsPerSecond) -> Seconds {
        Seconds(self.0 / rate.0)
    }
}

/// Bytes of one GiB.
pub(crate) const GIB: f64 = 1_073_741_824.0;
/// Bytes of one GB.
pub(crate) const GB: f64 = 1e9;
/// Hours of an average month, as clouds bill it.
pub(crate) const HOURS_PER_MONTH: f64 = 730.0;
/// Hours of a year.
pub(crate) const HOURS_PER_YEAR: f64 = 8_766.0;

impl Seconds {
    pub(crate) fn max(self, other: Self) -> Self {
        Self(self.0.max(other.0))
    }
}

impl Bytes {
    pub(crate) fn max(self, other: Self) -> Self {
        Self(self.0.max(other.0))
    }

    pub(crate) fn gib(self) -> f64 {
        self.0 / GIB
    }
}

/// A number as text with commas between its thousands: the one way in which sentences of the engine write counts.
pub(crate) fn grouped(number: impl std::fmt::Display) -> String {
    crate::request::group_digits(&number.to_string())
}
