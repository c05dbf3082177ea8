import { UNKNOWN } from "../../../provider/base/unknown";
import {
  countPatches,
  isOtherRevision,
  isRevisedTwice,
  nextRevision,
} from "../../../provider/resources/configurationRevision";

const text = (image: string, more = "") =>
  `cluster:\n  apiServer:\n    image: registry.k8s.io/kube-apiserver:${image}\n  controllerManager:\n    image: registry.k8s.io/kube-controller-manager:${image}\n  scheduler:\n    image: registry.k8s.io/kube-scheduler:${image}\n${more}`;

const proxy = "  proxy:\n    disabled: true\n";

describe("the revision of a role's configuration", () => {
  it("counts each recorded change, and those of the parts", () => {
    expect(nextRevision(undefined, text("v1.35.0"), text("v1.35.0"))).toBeUndefined();
    const first = nextRevision(undefined, text("v1.35.0"), text("v1.35.1"));
    expect(first).toEqual({ content: 1, kubernetes: 1, manifests: 0 });
    const second = nextRevision(first, text("v1.35.1"), text("v1.35.1", proxy));
    expect(second).toEqual({ content: 2, kubernetes: 1, manifests: 1 });
    expect(nextRevision(second, text("v1.35.1", proxy), text("v1.35.1", proxy))).toBe(second);
  });

  it("shows a change that was taken back before a resource recorded it", () => {
    const begun = nextRevision(undefined, text("v1.35.0"), text("v1.35.1"));
    const takenBack = nextRevision(begun, text("v1.35.1"), text("v1.35.0"));
    const revised = (revision: unknown) =>
      (["content", "kubernetes", "manifests"] as const).filter((part) =>
        isRevisedTwice(part, {}, { revision: revision as never }),
      );
    expect(revised(begun)).toEqual([]);
    expect(revised(takenBack)).toEqual(["content", "kubernetes"]);
    expect(isOtherRevision("content", {}, { revision: begun })).toBe(true);
    expect(isRevisedTwice("content", { revision: begun }, { revision: takenBack })).toBe(false);
  });

  it("is no change while it is unknown, or was never recorded", () => {
    expect(isOtherRevision("content", {}, { revision: UNKNOWN as never })).toBe(false);
    expect(isOtherRevision("content", {}, {})).toBe(false);
  });

  it("shows a configuration that was made anew", () => {
    const recorded = { revision: { content: 3, kubernetes: 1, manifests: 0 } };
    expect(isRevisedTwice("content", recorded, {})).toBe(true);
  });
});

describe("the patches of single machines", () => {
  const one = [{ machine: { sysctls: { a: "1" } } }];
  const two = [{ machine: { sysctls: { a: "2" } } }];
  const count = (
    before: Parameters<typeof countPatches>[0],
    own: Readonly<Record<string, object[]>>,
  ) => countPatches(before, own, "key");

  it("are counted as they change, come and go, each machine's alone", () => {
    const first = count(undefined, { a: one, b: [] });
    expect(first.machineRevisions).toEqual({});
    expect(Object.keys(first.machinePatchHashes)).toEqual(["a"]);
    expect(count(first, { a: one })).toEqual(first);
    const changed = count(first, { a: two });
    expect(changed.machineRevisions).toEqual({ a: 1 });
    const added = count(changed, { a: two, b: one });
    expect(added.machineRevisions).toEqual({ a: 1, b: 1 });
    expect(count(added, {}).machineRevisions).toEqual({ a: 2, b: 2 });
  });

  it("are recorded by digests that nobody finds their secrets from without the cluster's", () => {
    const [mine, other] = ["key", "other"].map((key) => countPatches(undefined, { a: one }, key));
    expect(mine?.machinePatchHashes.a).toMatch(/^[0-9a-f]{64}$/);
    expect(mine?.machinePatchHashes).not.toEqual(other?.machinePatchHashes);
  });

  it("show a change that was taken back, beside the role's", () => {
    expect(isRevisedTwice("content", {}, { machineRevision: 1 })).toBe(false);
    expect(isOtherRevision("content", {}, { machineRevision: 1 })).toBe(true);
    expect(isRevisedTwice("content", {}, { machineRevision: 2 })).toBe(true);
    expect(isRevisedTwice("content", { machineRevision: 2 }, { machineRevision: 2 })).toBe(false);
    expect(isOtherRevision("content", {}, { machineRevision: UNKNOWN as never })).toBe(false);
  });
});
