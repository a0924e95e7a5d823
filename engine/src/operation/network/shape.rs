//! A network as counts of switches and links, before any product is chosen.

/// How the switches are joined.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Design {
    /// All ports on one switch.
    Single,
    /// Folded Clos.
    FatTree,
    /// Folded Clos with leaves of their own for each rail.
    RailOptimized { rails: u64 },
    /// A switch for each rail and none above.
    RailOnly { rails: u64 },
    /// Groups of fully joined switches, every two groups joined.
    Dragonfly { groups: u64, group_switches: u64 },
    /// Grid that closes on itself.
    Torus { sides: [u64; 3] },
}

impl Design {
    /// Stable name.
    pub(crate) fn id(self) -> &'static str {
        match self {
            Design::Single => "single_switch",
            Design::FatTree => "fat_tree",
            Design::RailOptimized { .. } => "rail_optimized",
            Design::RailOnly { .. } => "rail_only",
            Design::Dragonfly { .. } => "dragonfly",
            Design::Torus { .. } => "torus",
        }
    }
}

/// A network, counted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Shape {
    pub design: Design,
    /// Levels of switches; 1 for a dragonfly and a torus, whose switches are all of one kind.
    pub tiers: u32,
    /// Switches that devices are plugged into.
    pub leaves: u64,
    pub spines: u64,
    pub cores: u64,
    /// Pods of a three-tier tree, else 1.
    pub pods: u64,
    /// Links from devices to leaves.
    pub device_links: u64,
    /// Links between neighboring switches: leaf to spine, inside a group, along the grid.
    pub near_links: u64,
    /// Links between distant switches: spine to core, between groups.
    pub far_links: u64,
    /// Switches that the near links of one place join, so that one rack may hold them all.
    pub near_switches: u64,
    /// Ports in use on the fullest switch of each level.
    pub leaf_ports: u64,
    pub spine_ports: u64,
    pub core_ports: u64,
    /// Links cut when the devices are halved in the worst way; for one switch the links of half the devices.
    pub cut_links: f64,
}

impl Shape {
    /// All ports on one switch of `radix` ports; `None` where they don't fit.
    pub(crate) fn single(ports: u64, radix: u64) -> Option<Self> {
        (ports <= radix).then_some(Self {
            design: Design::Single,
            tiers: 1,
            leaves: 1,
            spines: 0,
            cores: 0,
            pods: 1,
            device_links: ports,
            near_links: 0,
            far_links: 0,
            near_switches: 1,
            leaf_ports: ports,
            spine_ports: 0,
            core_ports: 0,
            cut_links: ports as f64 / 2.0,
        })
    }

    /// A switch of `radix` ports for each rail, the devices of one index of their servers, and none above; `None` for
    /// more servers than a switch has ports. With 64 ports that is 64 servers of 8 devices on 8 switches.
    ///
    /// No link is between switches: what half the servers send to the other half stays on its rail and is not blocked.
    pub(crate) fn rail_only(ports: u64, rails: u64, radix: u64) -> Option<Self> {
        let rails = rails.max(1);
        let one = Self::single(ports.div_ceil(rails), radix)?;
        Some(Self {
            design: Design::RailOnly { rails },
            leaves: rails,
            device_links: ports,
            cut_links: ports as f64 / 2.0,
            ..one
        })
    }

    pub(crate) fn switches(&self) -> u64 {
        self.leaves + self.spines + self.cores
    }

    /// Groups of switches that near links join.
    pub(crate) fn groups(&self) -> u64 {
        match self.design {
            Design::Dragonfly { groups, .. } => groups,
            _ => self.pods,
        }
    }
}
