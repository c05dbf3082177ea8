import {
  judgeImages,
  judgeRendering,
  type RenderingFacts,
} from "../../../../provider/lifecycle/health/judgeRendering";
import { facts, pod } from "../machineSamples";

const well = facts();

test("finds nothing where every pod is rendered from what is configured", () => {
  expect(judgeRendering(well, well.pods)).toEqual([]);
});

test.each<readonly [string, Partial<RenderingFacts>, readonly string[]]>([
  [
    "a component's configuration",
    {
      components: new Map([
        ...well.components,
        ["kube-scheduler", { version: "3", isEnabled: true }] as const,
      ]),
    },
    ["Talos has not rendered the static pod kube-scheduler with its new configuration yet"],
  ],
  [
    "the secrets of all components, and the files of the API server",
    { secretsVersion: "4", filesVersion: "1113" },
    [
      "Talos has not rendered the static pod kube-apiserver with its new secrets and files yet",
      "Talos has not rendered the static pod kube-controller-manager with its new secrets yet",
      "Talos has not rendered the static pod kube-scheduler with its new secrets yet",
    ],
  ],
  [
    "a component that is gone from the configuration",
    {
      components: new Map([...well.components].filter(([name]) => name !== "kube-scheduler")),
    },
    ["Talos has no configuration for the static pod kube-scheduler any more"],
  ],
])("finds a change of %s", (_name, change, problems) => {
  expect(judgeRendering({ ...well, ...change }, well.pods)).toEqual(problems);
});

test("finds enabled components without a pod, as after a reboot with a failing controller", () => {
  const components = new Map([
    ...well.components,
    ["kube-scheduler", { version: "1", isEnabled: false }] as const,
  ]);
  expect(judgeRendering({ ...well, components }, [])).toEqual([
    "Talos has not rendered the static pod kube-apiserver",
    "Talos has not rendered the static pod kube-controller-manager",
  ]);
});

test("leaves a user's own static pods alone", () => {
  const own = pod("proxy", { versions: undefined });
  expect(judgeRendering(well, [...well.pods, own])).toEqual([]);
});

test("finds an image that isn't the configured one, if one is configured", () => {
  const images = new Map([
    ["kube-apiserver", "registry.k8s.io/kube-apiserver:v1.35.0"],
    ["kube-scheduler", "registry.k8s.io/kube-scheduler:v1.35.1"],
  ]);
  expect(judgeImages(images, well.pods)).toEqual([
    "the static pod kube-scheduler has the image registry.k8s.io/kube-scheduler:v1.35.0, not registry.k8s.io/kube-scheduler:v1.35.1 as configured",
  ]);
});
