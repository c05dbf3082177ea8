// Why this room is as it is: docs/decisions/machines.md.

export type { CallOptions } from "./callOptions";
export type { EtcdMember } from "./etcdCalls";
export { certificateFingerprint } from "./maintenanceServers";
export { protocol } from "./protocol";
export { TalosApiError } from "./talosApiError";
export { type ServiceStatus, TalosClient } from "./talosClient";
export { talosResources } from "./talosResources";
export { type ProbeResult, waitFor } from "./waitFor";
