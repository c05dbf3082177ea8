import type { LabRun } from "./labRuns";

/** The test files with real machines, by their lab, but those of `lifeRuns`. Some two minutes to ten each. */
export const machineRuns: readonly LabRun[] = [
  {
    lab: "TALOS_LAB",
    files: [
      "labClient",
      "labResources",
      "labRotation",
      "labRestore",
      "labEtcdSettings",
      "labLostMachine",
      "talosctlSession",
    ],
  },
  {
    lab: "KUBERNETES_LAB",
    files: [
      "labRecordedHealth",
      "labDrain",
      "labManifests",
      "labObjects",
      "labAddOns",
      "labKarpenter",
      "labKeyRotation",
      "labKubernetesRotation",
      "labContractRise",
      "labSecretsKms",
    ],
  },
];

/**
 * The files that take clusters of real Kubernetes through their life, which takes hours.
 *
 * @param mode what becomes of a cluster afterwards: KUBERNETES_LIFE in CONTRIBUTING.md
 */
export function lifeRuns(mode: string): readonly LabRun[] {
  return [
    {
      lab: "KUBERNETES_LAB",
      files: ["labKubernetesLife", "labComponentLife"],
      environment: { KUBERNETES_LIFE: mode },
    },
  ];
}
