const everyone: readonly Role[] = ["os:admin", "os:operator", "os:reader"];
const operators: readonly Role[] = ["os:admin", "os:operator"];
const etcdReaders: readonly Role[] = [...everyone, "os:etcd:backup"];

/**
 * The roles of each method; the caller needs one of them. Source: talos v1.12.1, rules in
 * `system/services/machined.go`.
 */
const table: ReadonlyMap<string, readonly Role[]> = new Map([
  ...pathsOf("cluster.ClusterService", everyone, ["HealthCheck"]),
  ...pathsOf("cosi.resource.State", everyone, ["Get", "List", "Watch"]),
  ...pathsOf("inspect.InspectService", everyone, ["ControllerRuntimeDependencies"]),
  ...pathsOf("storage.StorageService", everyone, ["Disks"]),
  ...pathsOf("time.TimeService", everyone, ["Time", "TimeCheck"]),
  ...pathsOf("machine.ImageService", operators, ["Pull"]),
  ...pathsOf("machine.MachineService", everyone, [
    "CPUFreqStats",
    "CPUInfo",
    "Containers",
    "DiskStats",
    "DiskUsage",
    "Dmesg",
    "Events",
    "Hostname",
    "ImageList",
    "List",
    "LoadAvg",
    "Logs",
    "LogsContainers",
    "Memory",
    "Mounts",
    "Netstat",
    "NetworkDeviceStats",
    "Processes",
    "ServiceList",
    "Stats",
    "SystemStat",
    "Version",
  ]),
  ...pathsOf("machine.MachineService", operators, [
    "EtcdAlarmDisarm",
    "EtcdDefragment",
    "ImagePull",
    "PacketCapture",
    "Reboot",
    "Restart",
    "ServiceRestart",
    "ServiceStart",
    "ServiceStop",
    "Shutdown",
  ]),
  ...pathsOf("machine.MachineService", etcdReaders, [
    "EtcdAlarmList",
    "EtcdMemberList",
    "EtcdStatus",
  ]),
  ...pathsOf("machine.MachineService", [...operators, "os:etcd:backup"], ["EtcdSnapshot"]),
]);

function pathsOf(
  service: string,
  roles: readonly Role[],
  methods: readonly string[],
): [string, readonly Role[]][] {
  return methods.map((method) => [`/${service}/${method}`, roles]);
}

/** Whether one of the roles may call the method. Without a rule, only administrators may. */
export function mayCall(roles: ReadonlySet<Role>, path: string): boolean {
  return (table.get(path) ?? ["os:admin"]).some((role) => roles.has(role));
}

/**
 * What a reader may call besides while the machine has no configuration. Source: talos v1.13.0 and v1.14.1, the rules
 * "for maintenance only" in `system/services/machined.go`. Disks, LVM and RAID are not simulated.
 */
const READERS_IN_MAINTENANCE: readonly string[] = ["/machine.MachineService/ApplyConfiguration"];

/** Whether one of the roles may call the method on a machine without a configuration, from Talos v1.13 on. */
export function mayCallInMaintenance(roles: ReadonlySet<Role>, path: string): boolean {
  return mayCall(roles, path) || (roles.has("os:reader") && READERS_IN_MAINTENANCE.includes(path));
}

/** A caller's role on a node: a known Organization value of its certificate. */
export type Role = "os:admin" | "os:operator" | "os:reader" | "os:etcd:backup" | "os:impersonator";

const roles: readonly string[] = [
  "os:admin",
  "os:operator",
  "os:reader",
  "os:etcd:backup",
  "os:impersonator",
] satisfies readonly Role[];

function isRole(value: string): value is Role {
  return roles.includes(value);
}

/** The roles among `values`. Unknown values are ignored. */
export function parseRoles(values: readonly string[]): ReadonlySet<Role> {
  return new Set(values.filter(isRole));
}
