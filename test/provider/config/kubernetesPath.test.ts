import { judgeKubernetesPath } from "../../../provider/config/kubernetesPath";

const outline = (version: string) => ({
  cluster: { apiServer: { image: `registry.k8s.io/kube-apiserver:${version}` } },
});
const judge = (from: string, to: string) => judgeKubernetesPath(outline(from), outline(to));

describe("the path from one Kubernetes release to another", () => {
  it("is allowed up to the next minor", () => {
    expect(judge("v1.34.0", "v1.34.2")).toEqual({});
    expect(judge("v1.34.2", "v1.34.0")).toEqual({});
    expect(judge("v1.34.0", "v1.35.0@sha256:aa")).toEqual({});
  });

  it("skips no minor; the error names the steps", () => {
    expect(judge("v1.32.0", "v1.35.1").problem).toBe(
      'the API server runs Kubernetes v1.32.0, and v1.35.1 is 3 minors above it: go one minor at a time, with an "up" for the newest release of v1.33, of v1.34, then v1.35.1',
    );
  });

  it("may go back one minor, with a warning, and no further", () => {
    expect(judge("v1.35.0", "v1.34.0")).toEqual({
      warning: expect.stringContaining("Take a snapshot of etcd first") as string,
    });
    expect(judge("v1.35.0", "v1.33.0").problem).toContain("one minor at most, to v1.34");
  });

  it("isn't judged on workers, and if an image has no release", () => {
    expect(judgeKubernetesPath({ machine: { type: "worker" } }, outline("v1.35.0"))).toEqual({});
    expect(judge("latest", "v1.35.0")).toEqual({});
  });
});
