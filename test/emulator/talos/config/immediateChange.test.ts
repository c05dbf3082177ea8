import { rebootReason } from "../../../../emulator/talos/config/immediateChange";
import type { ConfigDocument } from "../../../../provider/config/machineConfig";

const config = (machine: ConfigDocument): ConfigDocument => ({ version: "v1alpha1", machine });

test("needs no reboot for changes that a running node can apply", () => {
  const before = config({ type: "worker", sysctls: { a: "1" } });
  const after = config({ type: "worker", sysctls: { a: "2" }, nodeLabels: { b: "c" } });
  expect(rebootReason([before], [after])).toBeUndefined();
});

test("shows the path of every other change", () => {
  const before = config({ type: "worker", install: { wipe: false }, features: { rbac: true } });
  const after = config({
    type: "worker",
    install: { wipe: false },
    env: { A: "b" },
    features: { rbac: true },
  });
  expect(rebootReason([before], [after])).toMatch(
    / {4}install:\n {9}wipe: false\n\+ {4}env:\n\+ {8}A: b\n {5}features:\n/,
  );
});
