import * as pulumi from "@pulumi/pulumi";
import { resourceArguments } from "../../../provider/schema";
import { unknownMembers } from "../../../provider/schema/unknownMembers";

const CLUSTER = resourceArguments("talos-aws:index:TalosCluster");

const found = (args: object, takesWider = false) =>
  unknownMembers({ ...args }, CLUSTER, takesWider).map(
    ({ property, reason }) => `${property}: ${reason}`,
  );

describe("unknownMembers", () => {
  it("finds them at any depth, in maps, lists and choices", () => {
    const args = {
      operatorCidr: ["10.0.0.0/8"],
      controlPlane: { machineCounts: 3 },
      workerPools: { apps: { terminationProtecton: true } },
      addOns: { metricServer: true, externalDns: { domainFilter: "example.com" } },
      access: { oidc: [{ issuerUrl: "https://a.example.com", audience: "a" }] },
    };
    expect(found(args)).toEqual([
      'operatorCidr: there is no such argument: did you mean "operatorCidrs"?',
      'addOns.metricServer: there is no such argument: did you mean "metricsServer"?',
      expect.stringMatching(
        /^addOns\.externalDns\.domainFilter: there is no such argument: known are zoneIds, /,
      ),
      'access.oidc[0].audience: there is no such argument: did you mean "audiences"?',
      'controlPlane.machineCounts: there is no such argument: did you mean "machineCount"?',
      'workerPools.apps.terminationProtecton: there is no such argument: did you mean "terminationProtection"?',
    ]);
  });

  it("says where an argument belongs", () => {
    expect(found({ machineCount: 3 })).toEqual([
      'machineCount: there is no such argument: did you mean "controlPlane.machineCount"?',
    ]);
    expect(found({ workerPools: { apps: { delivery: "apply" } } })).toEqual([
      'workerPools.apps.delivery: there is no such argument: did you mean "controlPlane.delivery"?',
    ]);
  });

  it("leaves names of the program's own alone, and what only a program can give", () => {
    const provider = new (class Provider {
      readonly zones = "a";
    })();
    expect(
      found({
        environment: pulumi.output("demo"),
        dns: { provider },
        tags: { environmant: "a" },
        machineConfiguration: { sysctls: { "net.x": "1" } },
        patches: [{ machine: { anything: true } }],
        network: pulumi.output({ zone: ["a"] }),
        workerPools: { machineCount: { machineCount: 1 } },
      }),
    ).toEqual([]);
  });

  it("takes more than it is asked for from other components, but no misspelt name", () => {
    const wide = { zone: "us-east-1a", role: "web" };
    expect(found({ ...wide, operatorCidrs: [], operatorCidr: "10.0.0.0/8" }, true)).toEqual([]);
    expect(found({ ...wide, terminationProtecton: true, protekt: true }, true)).toEqual([
      'protekt: there is no such argument: did you mean "protect"?',
    ]);
  });
});
