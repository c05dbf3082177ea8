/** Methods whose replies apid does not merge into one (talos v1.12.1, `internal/app/apid/main.go`). */
const streamed: ReadonlySet<string> = new Set([
  "/machine.MachineService/Copy",
  "/machine.MachineService/DiskUsage",
  "/machine.MachineService/Dmesg",
  "/machine.MachineService/EtcdSnapshot",
  "/machine.MachineService/Events",
  "/machine.MachineService/ImageList",
  "/machine.MachineService/Kubeconfig",
  "/machine.MachineService/List",
  "/machine.MachineService/Logs",
  "/machine.MachineService/PacketCapture",
  "/machine.MachineService/Read",
  "/cluster.ClusterService/HealthCheck",
]);

/** Whether replies of several nodes are passed on one by one instead of merged. */
export function isStreamed(path: string): boolean {
  return streamed.has(path) || path.endsWith("Stream");
}
