import {
  gracePeriodProblem,
  isCipherSuite,
  isCpuSet,
  isQuantity,
  reservedProblem,
  thresholdProblem,
} from "../flags/componentValues";
import type { Path } from "../path";
import type { DocumentView } from "./documentView";

/** Settings that map names to amounts, with what is wrong with one of them. */
const MAPS: readonly (readonly [
  setting: string,
  problemOf: (name: string, amount: string) => string | undefined,
])[] = [
  ["evictionHard", thresholdProblem],
  ["evictionSoft", thresholdProblem],
  ["evictionMinimumReclaim", (signal, amount) => thresholdProblem(signal, amount, true)],
  ["evictionSoftGracePeriod", gracePeriodProblem],
  ["systemReserved", reservedProblem],
  ["kubeReserved", reservedProblem],
];

/**
 * Checks amounts in kubelet's settings, which are texts to their type. Kubelet ends with one that it can't
 * read.
 *
 * Sources: Kubernetes v1.35.0, `cmd/kubelet/app/server.go` (`parseResourceList`), `pkg/kubelet/eviction/
 * helpers.go`, `pkg/kubelet/logs/container_log_manager.go`, `pkg/kubelet/apis/config/validation`,
 * component-base `cli/flag/ciphersuites_flag.go`.
 *
 * @param place of the settings
 * @param refuse reports the path of a setting, with what it has to be
 */
export function checkKubeletAmounts(
  view: DocumentView,
  place: Path,
  refuse: (setting: Path, wish: string) => void,
): void {
  for (const [setting, problemOf] of MAPS) {
    for (const [name, amount] of view.entries(...place, setting)) {
      const problem = problemOf(name, amount);
      if (problem !== undefined) {
        refuse([setting, name], problem);
      }
    }
  }
  const periods = new Set(view.entries(...place, "evictionSoftGracePeriod").map(([name]) => name));
  for (const [signal] of view.entries(...place, "evictionSoft")) {
    if (!periods.has(signal)) {
      refuse(["evictionSoft", signal], "evictionSoftGracePeriod has to name it too");
    }
  }
  for (const [path, suite] of view.texts(...place, "tlsCipherSuites")) {
    if (!isCipherSuite(suite)) {
      refuse(
        path.slice(place.length),
        "it has to be a cipher suite, like TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
      );
    }
  }
  const size = view.text(...place, "containerLogMaxSize");
  if (size !== undefined && size !== "" && !isQuantity(size)) {
    refuse(["containerLogMaxSize"], 'it has to be a quantity, like "10Mi"');
  }
  const processors = view.text(...place, "reservedSystemCPUs");
  if (processors !== undefined && processors !== "" && !isCpuSet(processors)) {
    refuse(["reservedSystemCPUs"], "it has to be a list of processors, like 0,2-3");
  }
}
