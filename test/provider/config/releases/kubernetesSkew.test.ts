import {
  kubeletVersion,
  newerThanApiServer,
  olderThanApiServer,
  releaseWarnings,
} from "../../../../provider/config/releases/kubernetesSkew";
import { expectDocumented } from "../../../documented";

const image = (name: string, version: string) => ({ image: `registry.k8s.io/${name}:${version}` });

/** The outline of a control plane machine. */
const outline = (apiServer: string, others: Readonly<Record<string, string>> = {}) => ({
  machine: { kubelet: image("kubelet", others.kubelet ?? apiServer) },
  cluster: {
    apiServer: image("kube-apiserver", apiServer),
    controllerManager: image("kube-controller-manager", others.controllerManager ?? apiServer),
    scheduler: image("kube-scheduler", others.scheduler ?? apiServer),
    proxy: image("kube-proxy", others.proxy ?? apiServer),
  },
});
const worker = (version: string) => ({ machine: { kubelet: image("kubelet", version) } });

describe("a component that is newer than the API server", () => {
  it.each([
    ["kubelet", "the kubelet"],
    ["controllerManager", "the controller manager"],
    ["scheduler", "the scheduler"],
    ["proxy", "kube-proxy"],
  ])("is refused with the way out: %s", (part, name) => {
    expect(newerThanApiServer(outline("v1.34.3", { [part]: "v1.35.0" }), undefined)).toEqual([
      `${name} would run Kubernetes v1.35.0, newer than the API server's v1.34.3, which Kubernetes does not support: take its image out of the patches, and set kubernetesVersion to v1.35.0, which upgrades the API servers first`,
    ]);
  });

  it("is refused in the words of docs/upgrades.md", () => {
    const [reason = ""] = newerThanApiServer(outline("v1.34.3", { kubelet: "v1.35.0" }), undefined);
    expectDocumented("upgrades.md", reason);
  });

  it("is refused on workers too, by the Kubernetes of their cluster", () => {
    expect(newerThanApiServer(worker("v1.35.0@sha256:aa"), "1.34.3")).toHaveLength(1);
    expect(newerThanApiServer(worker("v1.34.9"), "1.34.3")).toEqual([]);
    expect(kubeletVersion(worker("v1.34.3"))).toBe("v1.34.3");
  });

  it("is none where it is older, or where nothing is known", () => {
    expect(newerThanApiServer(outline("v1.35.0", { kubelet: "v1.34.3" }), undefined)).toEqual([]);
    expect(newerThanApiServer(worker("v1.35.0"), undefined)).toEqual([]);
    expect(newerThanApiServer(outline("latest"), "v1.35.0")).toEqual([]);
    expect(newerThanApiServer({}, "v1.35.0")).toEqual([]);
  });
});

describe("a component that a patch keeps on an older release", () => {
  it.each([
    ["kubelet", "v1.31.9", "the kubelet", "more than 3 minors"],
    ["proxy", "v1.31.0", "kube-proxy", "more than 3 minors"],
    ["scheduler", "v1.33.0", "the scheduler", "more than one minor"],
    ["controllerManager", "v1.33.0", "the controller manager", "more than one minor"],
  ])("is refused where Kubernetes doesn't support it: %s %s", (part, version, name, minors) => {
    expect(olderThanApiServer(outline("v1.35.0", { [part]: version }), "v1.35.0")).toEqual([
      `${name} would run Kubernetes ${version}, ${minors} older than the API server's v1.35.0, which Kubernetes does not support: take its image out of the patches`,
    ]);
  });

  it("is accepted where Kubernetes supports it, and where nothing is known", () => {
    const older = { kubelet: "v1.32.0", proxy: "v1.32.0", scheduler: "v1.34.0" };
    expect(olderThanApiServer(outline("v1.35.0", older), "v1.35.0")).toEqual([]);
    expect(olderThanApiServer(worker("v1.31.0"), undefined)).toEqual([]);
    expect(olderThanApiServer(worker("v1.31.0"), "v1.35.0")).toHaveLength(1);
  });

  it("is warned of, because an upgrade would pass it by", () => {
    expect(releaseWarnings(outline("v1.35.0", { kubelet: "v1.34.3" }), "1.35.0")).toEqual([
      "machine.kubelet.image: the kubelet runs Kubernetes v1.34.3, and kubernetesVersion is v1.35.0: it stays there until the image is taken out of the patches",
    ]);
    expect(releaseWarnings(outline("v1.35.0"), "1.35.0")).toEqual([]);
  });
});
