import { requireImage } from "../../../../emulator/talos/machine/nodeImages";

test.each([
  ["nginx", "docker.io/library/nginx:latest"],
  ["nginx:1.29.1", "docker.io/library/nginx:1.29.1"],
  ["grafana/loki:3.0", "docker.io/grafana/loki:3.0"],
  ["ghcr.io/siderolabs/kubelet:v1.35.0", "ghcr.io/siderolabs/kubelet:v1.35.0"],
  [`quay.io/a/b@sha256:${"0".repeat(64)}`, `quay.io/a/b@sha256:${"0".repeat(64)}`],
])("finds %s", (reference, full) => {
  expect(requireImage(reference)).toBe(full);
});

test("finds neither an unknown registry nor a tag that is not a version", () => {
  expect(() => requireImage("registry.example/a:1")).toThrow(
    "lookup registry.example: no such host",
  );
  expect(() => requireImage("ghcr.io/a/b:nope")).toThrow("ghcr.io/a/b:nope: not found");
});
