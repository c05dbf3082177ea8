import { checkKubernetesVersion } from "../supportTable";
import type { DocumentView } from "./documentView";

/**
 * Checks that the Talos that reads the configuration supports the Kubernetes of its images.
 * Otherwise a machine refuses the configuration, and also images without a version in their tag.
 * Source: RuntimeValidate in pkg/machinery/config/types/v1alpha1, Talos v1.12.1 and v1.13.9.
 */
export function checkKubernetesImages(view: DocumentView): void {
  const controlPlane = ["apiServer", "controllerManager", "scheduler"];
  const paths = [
    ["machine", "kubelet", "image"],
    ...(view.get("machine", "type") === "controlplane"
      ? controlPlane.map((component) => ["cluster", component, "image"])
      : []),
  ];
  for (const path of paths) {
    const image = view.text(...path);
    const version = /.*:v(.*?)(?:@.*)?$/.exec(image ?? "")?.[1];
    const problem =
      image === undefined
        ? undefined
        : version === undefined
          ? `${view.quote(...path)} has no version of Kubernetes in it: write one like "${image.replace(/(?::[^:/@]*)?(?:@.*)?$/, "")}:v1.35.0"`
          : checkKubernetesVersion(version, `v1.${view.talosMinor}`);
    if (problem !== undefined) {
      view.report(path, problem);
    }
  }
}
