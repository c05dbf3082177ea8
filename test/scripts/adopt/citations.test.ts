import { citedSources, namesIn } from "../../../scripts/adopt/citations";

const upstream = [
  "internal/app/machined/pkg/controllers/k8s/kubelet_spec.go",
  "internal/app/machined/pkg/controllers/k8s/control_plane.go",
  "pkg/machinery/config/types/block/trim.go",
  "pkg/machinery/config/types/block/scrub.go",
  "pkg/machinery/role/role.go",
  "pkg/machinery/role/set.go",
  "pkg/machinery/role/inner/other.go",
  ...["a", "b", "c", "d"].map((folder) => `pkg/machinery/${folder}/config.go`),
];

it.each([
  ["// Source: Talos v1.12.1, `k8s/kubelet_spec.go`.", ["k8s/kubelet_spec.go"]],
  ["types/block/{trim,scrub}.go, Talos v1.14.1", ["types/block/trim.go", "types/block/scrub.go"]],
  ["the Validate methods of pkg/machinery/role.", ["pkg/machinery/role"]],
  ["k8s/{a,b}_c.go", ["k8s/a_c.go", "k8s/b_c.go"]],
  ["nothing.ts and go.mod", []],
])("reads %j", (text, names) => {
  expect(namesIn(text)).toEqual(names);
});

it("finds files by the end of their path, and folders without those within", () => {
  const ours = {
    "provider/a.ts": "`k8s/kubelet_spec.go`, and types/block/{trim,scrub}.go",
    "provider/b.ts": "kubelet_spec.go; pkg/machinery/role",
    "provider/c.ts": "D/controllers/k8s/control_plane.go",
  };
  const { citations, foreign } = citedSources(ours, upstream);
  expect([...citations]).toEqual([
    ["internal/app/machined/pkg/controllers/k8s/control_plane.go", ["provider/c.ts"]],
    [
      "internal/app/machined/pkg/controllers/k8s/kubelet_spec.go",
      ["provider/a.ts", "provider/b.ts"],
    ],
    ["pkg/machinery/config/types/block/scrub.go", ["provider/a.ts"]],
    ["pkg/machinery/config/types/block/trim.go", ["provider/a.ts"]],
    ["pkg/machinery/role/role.go", ["provider/b.ts"]],
    ["pkg/machinery/role/set.go", ["provider/b.ts"]],
  ]);
  expect(foreign).toEqual([]);
});

it("tells of names that are none of Talos, or of too many files of it", () => {
  const ours = { "provider/a.ts": "Kubernetes, `app/core.go`; `config.go`; spec.go" };
  const { citations, foreign } = citedSources(ours, upstream);
  expect(citations.size).toBe(0);
  expect(foreign.map(({ name }) => name)).toEqual(["app/core.go", "config.go", "spec.go"]);
});
