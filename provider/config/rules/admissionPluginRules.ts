import { admissionPlugins } from "../flags/admissionPlugins";
import { isInMinors, minorOfImage, otherMinors } from "../flags/componentTable";
import { isMapping, type YamlValue } from "../machineConfig";
import type { Path } from "../path";
import { ADMISSION_FLAGS, flagName, namesIn } from "../releases/removedInKubernetes";
import { adviceOn } from "../suggestion";
import type { DocumentView } from "./documentView";

/** Kubernetes minors whose plugins are known. */
const KNOWN_MINORS = { oldest: 30, newest: 37 } as const;

/**
 * Checks that kube-apiserver knows the admission plugins that its flags name. It ends at once with
 * another name, also in `disable-admission-plugins`.
 *
 * Source: Kubernetes v1.37.2, k8s.io/apiserver, `pkg/server/options/admission.go`, `Validate`.
 *
 * @param place of the API server's settings, with `image` and `extraArgs`
 */
export function checkAdmissionPlugins(view: DocumentView, place: Path): void {
  const minor = minorOfImage(view.text(...place, "image"));
  const args = view.get(...place, "extraArgs");
  if (!isMapping(args) || !(minor >= KNOWN_MINORS.oldest && minor <= KNOWN_MINORS.newest)) {
    return;
  }
  for (const [key, value] of Object.entries(args)) {
    if (!ADMISSION_FLAGS.includes(flagName(key))) {
      continue;
    }
    for (const name of unknownIn(value, minor)) {
      const elsewhere = otherMinors(admissionPlugins.get(name), minor);
      const advice = adviceOn(name, elsewhere, admissionPlugins.keys());
      view.report(
        [...place, "extraArgs", key],
        `Kubernetes v1.${minor} has no admission plugin ${JSON.stringify(name)}, and its API server fails to start with it: ${advice}`,
      );
    }
  }
}

function unknownIn(value: YamlValue, minor: number): readonly string[] {
  return namesIn(value).filter(
    (name) => name !== "" && !isInMinors(admissionPlugins.get(name) ?? { since: Infinity }, minor),
  );
}
