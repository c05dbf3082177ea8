import {
  etcdMinorByTalosMinor,
  etcdMinorOf,
  etcdWayBackProblem,
} from "../../../../provider/config/releases/etcdRelease";
import { talosSchemas } from "../../../../provider/config/schema/talosSchemas";
import record112 from "../../testdata/machinerySource/v1.12.json";
import record114 from "../../testdata/machinerySource/v1.14.json";

const documents = (etcd: object, type = "controlplane") => [
  { version: "v1alpha1", machine: { type }, cluster: { etcd: { ...etcd } } },
];

describe("the etcd of a Talos release", () => {
  it("is known for each release", () => {
    expect([...etcdMinorByTalosMinor.keys()]).toEqual([...talosSchemas.keys()]);
  });

  it.each([
    ["v1.12.1", record112],
    ["v1.14.1", record114],
  ])("is that of machinery %s", (release, { imageTags }) => {
    expect(imageTags.etcd).toMatch(new RegExp(`^3\\.${etcdMinorOf(documents({}), release)}\\.`));
  });

  it("is the one of the configuration's image, where that names a version", () => {
    const image = (tag: string) => documents({ image: `registry.k8s.io/etcd:${tag}` });
    expect(etcdMinorOf(image("v3.6.12"), "v1.14.6")).toBe(6);
    expect(etcdMinorOf(image("3.7.1-0"), "v1.13.9")).toBe(7);
    expect(etcdMinorOf(image("mine"), "v1.13.9")).toBeUndefined();
    expect(etcdMinorOf(documents({}, "worker"), "v1.13.9")).toBeUndefined();
  });
});

describe("the way back of etcd", () => {
  it("is open while the data are of the older minor", () => {
    expect(etcdWayBackProblem("3.6.0", 6, "v1.13.9")).toBeUndefined();
    expect(etcdWayBackProblem("3.6.0", 7, "v1.14.6")).toBeUndefined();
    expect(etcdWayBackProblem("", 5, "v1.10.7")).toBeUndefined();
    expect(etcdWayBackProblem("3.7.0", undefined, "v1.13.9")).toBeUndefined();
  });

  it("is closed once they are of the newer one", () => {
    expect(etcdWayBackProblem("3.7.0", 6, "v1.13.9")).toMatch(/There is no way back/);
    expect(etcdWayBackProblem("3.6.0", 5, "v1.10.7")).toMatch(/There is no way back/);
  });
});
