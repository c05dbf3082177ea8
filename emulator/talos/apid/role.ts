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
