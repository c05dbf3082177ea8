import type { ClusterAddOnsArgs } from "../../../../components/addOns/registry";
import { checkMetadataAccess } from "../../../../components/cluster/addOns/checkMetadataAccess";
import { chooseAddOns } from "../../../../components/cluster/addOns/chooseAddOns";
import type { ClusterRoleArgs } from "../../../../components/cluster/arguments/clusterControlPlaneArgs";
import type { TalosClusterArgs } from "../../../../components/cluster/arguments/talosClusterArgs";
import type { NodePermissions } from "../../../../components/permissions/nodePermissions";
import { checkedAddOns } from "../../addOns/checkedAddOns";
import { INSTANCE, make } from "../clusters";
import { standardCluster } from "../standardCluster";

function problems(change: Partial<TalosClusterArgs>): string[] {
  const args = { ...standardCluster, ...change };
  return [
    ...checkMetadataAccess(chooseAddOns(args)).map(
      ({ property, reason }) => `${property}: ${reason}`,
    ),
    ...checkedAddOns(args).filter((problem) => problem.includes("metadata service")),
  ];
}

describe("the metadata service", () => {
  it("answers no pod by default, whatever machine it is on and however that is configured", async () => {
    const pools = {
      fixed: { machineCount: 1 },
      scaled: { autoScaling: { minSize: 1, maxSize: 2 }, subnets: "private" },
    } as const;
    const network = { ...standardCluster.network, nat: "single" } as const;
    for (const delivery of ["apply", "userData"] as const) {
      const { graph } = await make({ network, controlPlane: { delivery }, workerPools: pools });
      const machines = [
        ...graph.ofType(INSTANCE),
        ...graph.ofType("aws:ec2/launchTemplate:LaunchTemplate"),
      ];
      expect(machines).toHaveLength(5);
      for (const { name, inputs } of machines) {
        expect([name, inputs.metadataOptions]).toMatchObject([
          name,
          { httpTokens: "required", httpPutResponseHopLimit: 1 },
        ]);
      }
    }
  });

  describe("of control planes that answer pods", () => {
    const answering = (role?: ClusterRoleArgs, more: Partial<TalosClusterArgs> = {}) =>
      problems({ ...more, controlPlane: { metadataHopLimit: 2, ...(role && { role }) } });
    const refused = (powers: string): unknown[] => [
      expect.stringMatching(
        new RegExp(`^controlPlane.metadataHopLimit: with 2 hops every pod .* by ${powers}: leave`),
      ),
    ];

    it("is fine with a role that may only describe, or with none", () => {
      expect(answering()).toEqual([]);
      expect(answering({})).toEqual([]);
      expect(answering({ none: true })).toEqual([]);
      expect(answering({ permissions: { ecrPull: false, externalDnsZoneIds: [] } })).toEqual([]);
      expect(answering({ managedPolicyArns: {}, statements: [] })).toEqual([]);
    });

    it.each(
      Object.entries({
        cloudController: true,
        ebsCsi: true,
        ecrPull: true,
        clusterAutoscaler: true,
        loadBalancerController: true,
        externalDnsZoneIds: ["Z1"],
        etcdBackupArn: "arn:aws:s3:::backups",
      } satisfies NodePermissions),
    )("is refused with the permission %s", (name, value) => {
      expect(answering({ permissions: { [name]: value } })).toEqual(
        refused(`controlPlane\\.role\\.permissions\\.${name}`),
      );
    });

    const addOns = {
      cloudController: true,
      ebsCsi: true,
      clusterAutoscaler: true,
      loadBalancerController: true,
      externalDns: { zoneIds: ["Z1"] },
      etcdBackup: { agePublicKey: "none" },
    } satisfies ClusterAddOnsArgs;

    it.each(Object.entries(addOns))("is refused with the add-on %s", (name, value) => {
      const one = { addOns: { [name]: value } };
      expect(answering({}, one)).toEqual(refused(`addOns\\.${name}`));
      // An add-on with a role of its own leaves the machines' as it is.
      expect(answering({}, { ...one, irsa: true })).toEqual(
        name === "etcdBackup" ? refused("addOns\\.etcdBackup") : [],
      );
    });

    it("is refused with policies of the user's, and with a role that isn't known", () => {
      const read = "arn:aws:iam::aws:policy/ReadOnlyAccess";
      expect(answering({ managedPolicyArns: { read } })).toEqual(
        refused("controlPlane\\.role\\.managedPolicyArns"),
      );
      expect(answering({ statements: [{ actions: ["s3:GetObject"], resources: ["*"] }] })).toEqual(
        refused("controlPlane\\.role\\.statements"),
      );
      expect(answering({ instanceProfileName: "theirs" })).toEqual(
        refused("controlPlane\\.role\\.instanceProfileName, whose role isn't known here"),
      );
    });

    it("is refused with the cluster's keys in user data, whatever the role", () => {
      const controlPlane = { delivery: "userData", metadataHopLimit: 3 } as const;
      expect(problems({ controlPlane: { ...controlPlane, role: { none: true } } })).toEqual([
        expect.stringMatching(/with 3 hops every pod .* reads its user data.*cluster's keys/),
      ]);
    });
  });

  describe("and an EBS CSI driver by a manifest of the user's", () => {
    const ebsCsi = { manifestUrls: ["https://example.com/v1.35.0/manifest.yaml"] };
    const apps = { machineCount: 1 };
    const cut: unknown[] = [
      expect.stringMatching(/^addOns.ebsCsi: its controller's pods call AWS.*hostNetwork/),
    ];

    it("is refused if no machine lets its pods reach it", () => {
      expect(problems({ addOns: { ebsCsi }, workerPools: { apps } })).toEqual(cut);
      const answering = { ...apps, metadataHopLimit: 2 };
      const powerless = { ...answering, role: { none: true } };
      expect(problems({ addOns: { ebsCsi }, workerPools: { apps, powerless } })).toEqual(cut);
      const workerPools = { apps, system: answering };
      expect(problems({ addOns: { ebsCsi }, workerPools })).toEqual([]);
      const workers = { role: { none: true } };
      const two = { ...answering, role: {} };
      expect(problems({ addOns: { ebsCsi }, workers, workerPools: { apps, two } })).toEqual([]);
      const inMachines = { ...ebsCsi, hostNetwork: true };
      expect(problems({ addOns: { ebsCsi: inMachines }, workerPools: { apps } })).toEqual([]);
    });

    it("is refused on control planes with workloads, whose role may do the driver's work", () => {
      const machineConfiguration = { allowSchedulingOnControlPlanes: true };
      expect(problems({ addOns: { ebsCsi }, machineConfiguration })).toEqual(cut);
    });
  });
});
