import type { MachineFeatures } from "../../../../provider/config/generate/machineFeatures";
import { generateMachineConfig } from "../../../../provider/config/generateMachineConfig";
import type { MachineType } from "../../../../provider/config/machineBasics";
import { isMapping, type YamlValue } from "../../../../provider/config/machineConfig";
import { talosSchema } from "../../../../provider/config/schema/talosSchemas";
import { validateDocuments } from "../../../../provider/config/validate";
import { contracts, inputWith, problemsOf } from "./expectGenerated";

/** What is generated of `machine.features`, which the contract's Talos takes. */
function generated(
  contract: string,
  features?: MachineFeatures,
  machineType: MachineType = "controlplane",
): YamlValue | undefined {
  const documents = generateMachineConfig(inputWith(contract, { features, machineType }));
  expect(validateDocuments(documents, { schema: talosSchema(contract) })).toEqual([]);
  const machine = documents[0]?.machine;
  return isMapping(machine) ? machine.features : undefined;
}

const on = {
  kubePrism: { enabled: true, port: 7445 },
  hostDNS: { enabled: true, forwardKubeDNSToHost: true },
};

test.each(contracts)(
  "%s turns on Talos' defaults, with another port and turned off on request",
  (contract) => {
    expect(generated(contract)).toMatchObject(on);
    expect(generated(contract, { kubePrism: { port: 7446 }, hostDns: {} })).toMatchObject({
      ...on,
      kubePrism: { enabled: true, port: 7446 },
    });
    const off = generated(contract, { kubePrism: { enabled: false }, hostDns: { enabled: false } });
    expect(off).toMatchObject({ hostDNS: { enabled: false } });
    expect(off).not.toHaveProperty("kubePrism");
    expect(off).not.toHaveProperty("hostDNS.forwardKubeDNSToHost");
  },
);

test.each(contracts)(
  "%s lets the host DNS resolve members, and forwards pods' queries on request",
  (contract) => {
    const hostDns = { forwardKubeDnsToHost: false, resolveMemberNames: true };
    expect(generated(contract, { hostDns })).toMatchObject({
      hostDNS: { enabled: true, resolveMemberNames: true },
    });
    expect(generated(contract, { hostDns })).not.toHaveProperty("hostDNS.forwardKubeDNSToHost");
  },
);

test("contracts from before a feature have it on request", () => {
  const features = (more: MachineFeatures) => {
    const documents = generateMachineConfig({
      ...inputWith("v1.5", { features: more }),
      talosVersion: "v1.12.1",
    });
    return documents[0]?.machine;
  };
  expect(features({})).not.toHaveProperty("features.kubePrism");
  expect(features({})).not.toHaveProperty("features.hostDNS");
  expect(features({ kubePrism: {}, hostDns: {} })).toMatchObject({
    features: { kubePrism: { enabled: true, port: 7445 }, hostDNS: { enabled: true } },
  });
});

test.each(contracts)(
  "%s lets workloads call the Talos API through the control plane",
  (contract) => {
    const features = {
      kubernetesTalosApiAccess: {
        allowedRoles: ["os:reader"],
        allowedKubernetesNamespaces: ["kube-system"],
      },
    } as const;
    expect(generated(contract, features)).toMatchObject({
      kubernetesTalosAPIAccess: { enabled: true, ...features.kubernetesTalosApiAccess },
    });
    expect(generated(contract, features, "worker")).not.toHaveProperty("kubernetesTalosAPIAccess");
  },
);

test("all problems are reported", () => {
  expect(
    problemsOf({
      features: {
        kubePrism: { port: 70000 },
        hostDns: { enabled: false, forwardKubeDnsToHost: true },
        kubernetesTalosApiAccess: {
          allowedRoles: ["os:reader", "admin" as never],
          allowedKubernetesNamespaces: ["Kube_System"],
        },
      },
    }),
  ).toEqual([
    "features.kubePrism.port: 70000 is not a port: 1 to 65535",
    "features.hostDns.forwardKubeDnsToHost: needs hostDns.enabled: CoreDNS would use a disabled resolver",
    'features.kubernetesTalosApiAccess.allowedRoles[1]: "admin" is not a role of the Talos API; there are os:admin, os:operator, os:reader, os:etcd:backup',
    'features.kubernetesTalosApiAccess.allowedKubernetesNamespaces[0]: "Kube_System" is not a namespace: lower-case letters, digits and "-", up to 63',
  ]);
});
