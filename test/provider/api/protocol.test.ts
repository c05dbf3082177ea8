import { protocol } from "../../../provider/api/protocol";

describe("protocol", () => {
  it("defines the services Talos registers under their wire names", () => {
    const paths = [
      protocol.machine.MachineService.service.ApplyConfiguration.path,
      protocol.cosi.resource.State.service.Get.path,
      protocol.storage.StorageService.service.Disks.path,
      protocol.cluster.ClusterService.service.HealthCheck.path,
      protocol.inspect.InspectService.service.ControllerRuntimeDependencies.path,
      protocol.time.TimeService.service.Time.path,
      protocol.securityapi.SecurityService.service.Certificate.path,
    ];
    expect(paths).toEqual([
      "/machine.MachineService/ApplyConfiguration",
      "/cosi.resource.State/Get",
      "/storage.StorageService/Disks",
      "/cluster.ClusterService/HealthCheck",
      "/inspect.InspectService/ControllerRuntimeDependencies",
      "/time.TimeService/Time",
      "/securityapi.SecurityService/Certificate",
    ]);
  });

  it("sends dryRun, so that a dry run changes nothing", () => {
    const { requestSerialize, requestDeserialize } =
      protocol.machine.MachineService.service.ApplyConfiguration;
    const wire = requestSerialize({ data: Buffer.from("x"), mode: "AUTO", dryRun: true });
    // machine.proto of Talos v1.12.1: data = 1 (bytes), mode = 4, dry_run = 5
    expect(wire.toString("hex")).toBe("0a0178" + "2001" + "2801");
    expect(requestDeserialize(wire)).toMatchObject({ mode: "AUTO", dryRun: true });
  });

  it("reads 64-bit ids as decimal strings without loss", () => {
    const { responseSerialize, responseDeserialize } =
      protocol.machine.MachineService.service.EtcdMemberList;
    const wire = responseSerialize({ messages: [{ members: [{ id: "18446744073709551615" }] }] });
    expect(responseDeserialize(wire).messages[0]?.members[0]?.id).toBe("18446744073709551615");
  });
});
