import { dutyOf, namedControllers } from "../../../../provider/lifecycle/health/controllerDuties";
import { talosSources } from "../../talosSources";

test.each(talosSources)("every controller of Talos $release has a duty", ({ controllers }) => {
  expect(controllers.length).toBeGreaterThan(150);
  expect(controllers.filter((name) => dutyOf(name) === undefined)).toEqual([]);
});

test("no name is without a controller, and none stands twice", () => {
  const known = new Set(talosSources.flatMap(({ controllers }) => controllers));
  expect(namedControllers.filter((name) => !known.has(name))).toEqual([]);
  expect(new Set(namedControllers).size).toBe(namedControllers.length);
});

test("what the kubelet and the static pods run from is judged strictly", () => {
  const strict = ["k8s.ControlPlaneStaticPodController", "k8s.KubeletSpecController"];
  expect(strict.map(dutyOf)).toEqual(["renders", "renders"]);
  expect(dutyOf("LinkMergeControllers.net.talos.dev")).toBe("applies");
  expect(dutyOf("cri.system.ImageGCController")).toBe("observes");
  expect(dutyOf("k8s.SomethingNewController")).toBeUndefined();
});
