import * as pulumi from "@pulumi/pulumi";
import { chooseAddOns } from "../../../components/cluster/addOns/chooseAddOns";
import { planCluster } from "../../../components/cluster/plan/planCluster";
import { plannedSettingsOf } from "../../../components/cluster/planned/plannedSettings";
import { outlineDocuments } from "../../../provider/config/effects/outline";
import { generateMachineConfig } from "../../../provider/config/generateMachineConfig";
import type { ConfigDocument } from "../../../provider/config/machineConfig";
import { applyPatches, type Patch } from "../../../provider/config/patches/patch";
import { changedPlannedSettings } from "../../../provider/config/plannedSettings";
import { placeOf } from "../../../provider/config/settings/settingIn";
import { machineConfigurationInputs } from "../../provider/resources/samples";
import { valueOf } from "../mockedGraph";
import { standardCluster } from "./standardCluster";

/** Patches of planned settings, in fields and in documents. */
const patches: readonly (readonly [field: string, field: Patch, document: Patch])[] = [
  [
    "cluster.clusterName",
    { cluster: { clusterName: "other" } },
    { apiVersion: "v1alpha1", kind: "KubeClusterConfig", clusterName: "other" },
  ],
  [
    "cluster.network.podSubnets",
    { cluster: { network: { podSubnets: ["10.99.0.0/16"] } } },
    { apiVersion: "v1alpha1", kind: "KubeNetworkConfig", podSubnets: ["10.99.0.0/16"] },
  ],
  [
    "machine.kubelet.extraArgs.node-ip",
    { machine: { kubelet: { extraArgs: { "node-ip": "10.0.0.1" } } } },
    { apiVersion: "v1alpha1", kind: "KubeletConfig", extraArgs: { "node-ip": "10.0.0.1" } },
  ],
  [
    "machine.kubelet.nodeIP.validSubnets",
    { machine: { kubelet: { nodeIP: { validSubnets: ["192.0.2.0/24"] } } } },
    { apiVersion: "v1alpha1", kind: "KubeNodeConfig", nodeIP: { validSubnets: ["192.0.2.0/24"] } },
  ],
  [
    "cluster.controlPlane.localAPIServerPort",
    { cluster: { controlPlane: { localAPIServerPort: 7443 } } },
    { apiVersion: "v1alpha1", kind: "KubeAPIServerConfig", apiPort: 7443 },
  ],
  [
    "cluster.apiServer.extraArgs.secure-port",
    { cluster: { apiServer: { extraArgs: { "secure-port": "7443" } } } },
    { apiVersion: "v1alpha1", kind: "KubeAPIServerConfig", extraArgs: { "secure-port": "7443" } },
  ],
];

describe("what a cluster is planned by", () => {
  it.each(["controlplane", "worker"] as const)(
    "is the same for a %s of both forms",
    async (role) => {
      const inputs = await machineConfigurationInputs();
      const planned = await valueOf(
        plannedSettingsOf({
          args: planCluster(chooseAddOns(standardCluster), () => pulumi.output("")),
          role,
          clusterName: pulumi.output(inputs.clusterName),
          endpoint: pulumi.output(inputs.endpoint),
        }),
      );
      const installerImage = "factory.talos.dev/aws-installer/abc:v1.14.1";
      const generate = (versionContract: string) =>
        generateMachineConfig({
          ...inputs,
          machineType: role,
          talosVersion: "v1.14.1",
          versionContract,
          installerImage,
        });
      const told = (documents: readonly ConfigDocument[], patch?: Patch) => {
        const after = patch === undefined ? documents : applyPatches(documents, [patch]);
        return changedPlannedSettings(
          outlineDocuments(documents),
          outlineDocuments(after),
          planned,
        );
      };
      const [fields, documents] = ["v1.13", "v1.14"].map(generate) as [
        ConfigDocument[],
        ConfigDocument[],
      ];
      expect(told(documents)).toEqual(told(fields));
      for (const [field, inField, inDocument] of patches) {
        if (role === "worker" && /cluster\.(?:apiServer|controlPlane)/.test(field)) {
          continue;
        }
        const ofField = told(fields, inField);
        const place = placeOf(outlineDocuments(documents), field.split(".")).join(".");
        expect(told(documents, inDocument)).toEqual(
          ofField.map((message) => message.replace(field, place)),
        );
        expect(ofField.length).toBeGreaterThan(told(fields).length);
      }
    },
  );
});
