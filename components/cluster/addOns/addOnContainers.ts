import { parse } from "yaml";
import type { KubernetesObject } from "./objects/kubernetesObject";
import { podIdentityWebhookObjects } from "./objects/podIdentityWebhookObjects";
import { containersIn } from "./objects/withImages";
import { type KnownChoices, planOwnManifests } from "./planOwnManifests";

/** Any cluster: no add-on's containers depend on it. */
const SCOPE = {
  ...{ clusterName: "c", region: "us-east-1", kubernetesVersion: "v1.35.0", controlPlanes: 1 },
  recordName: "k8s.example.com",
};

/** How each add-on of this package's own objects is asked for. */
const EACH: Readonly<Required<Omit<KnownChoices, "cilium">>> = {
  ...{ cloudController: {}, ebsCsi: {}, clusterAutoscaler: {}, loadBalancerController: {} },
  ...{ externalDns: { zoneIds: [] }, nodeTerminationHandler: {}, auditLog: {} },
  ...{ servingCertificateApprover: { replicas: 1 }, metricsServer: { replicas: 1 } },
};

/**
 * The names of the containers in an add-on's pods.
 *
 * @param addOn the argument's name, such as `auditLog`, or `webhook` for that of `irsa`
 */
export function containersOf(addOn: string): string[] {
  const asked = Object.entries(EACH).filter(([name]) => name === addOn);
  const objects =
    asked.length === 0
      ? podIdentityWebhookObjects(SCOPE, {}, "")
      : planOwnManifests(SCOPE, Object.fromEntries(asked)).flatMap(({ contents }) =>
          contents.split("---\n").map((text) => parse(text) as KubernetesObject),
        );
  return [...new Set(objects.flatMap(containersIn).map(({ name }) => name))];
}
