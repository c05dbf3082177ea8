import type { YamlValue } from "../machineConfig";
import type { ComponentFile } from "./componentFiles";
import { type DecodeError, decodeErrors, wordsOfDecoding } from "./decodeErrors";
import { FileView, goPath } from "./fieldErrors";
import { kindsAt } from "./fileTypes";
import { schedulerErrors } from "./schedulerErrors";
import { schedulerStartErrors } from "./schedulerStart";
import {
  droppedBy,
  fieldWords,
  strictWords,
  typeWords,
  unknownIn,
  type Verdict,
  without,
} from "./verdictParts";

const SCHEDULER = "config/v1.KubeSchedulerConfiguration";

/**
 * Talos v1.12 writes only what its own types know of the scheduler's configuration; later ones write all
 * of it. Sources: `schedulerConfig` in `k8s/render_config_static_pods.go` of v1.12.1 and v1.13.9.
 */
const WRITES_ALL_SINCE = 13;

/** Judges the configuration of kube-scheduler. */
export function judgeScheduler(file: ComponentFile): Verdict {
  const { minor, talosMinor, talosTypes } = file;
  const forTalos = decodeErrors(file.content, SCHEDULER, talosTypes);
  const dropped = talosMinor < WRITES_ALL_SINCE ? unknownIn(forTalos) : [];
  const content = without(file.content, dropped);
  const decoded = decodeErrors(content, SCHEDULER, minor);
  const args = argsErrors(content, minor);
  const refused = [...unknownIn(decoded), ...args.flatMap(({ errors }) => errors)];
  const invalid = schedulerErrors(content, minor);
  const started = file.isUpstream ? schedulerStartErrors(content, minor) : [];
  return {
    unwritable: forTalos.filter(({ kind }) => kind === "type"),
    refused: [...refused, ...invalid, ...started],
    unread: [...dropped.map(({ path }) => droppedBy(talosMinor, path))],
    words:
      args.find(({ typed }) => typed !== undefined)?.typed ??
      strictWords([
        ...unknownIn(decoded).map(wordsOfDecoding),
        ...args.flatMap(({ strict }) => strict ?? []),
      ]) ??
      fieldWords(invalid) ??
      started[0]?.words,
  };
}

/** The arguments of a plugin that can't be decoded. */
interface ArgsErrors {
  /** With their paths in the file. */
  readonly errors: readonly DecodeError[];
  /** What the scheduler prints about a value of another type, with which it ends. */
  readonly typed: string | undefined;
  readonly strict: string | undefined;
}

/** The arguments of plugins have types of their own, by the plugin's name. */
function argsErrors(content: YamlValue, minor: number): readonly ArgsErrors[] {
  const kinds = kindsAt(minor);
  const view = new FileView(content, minor);
  const entries = view
    .items("profiles")
    .flatMap((profile) => view.items(...profile, "pluginConfig"));
  return entries.map((entry) => {
    const name = view.text(...entry, "name");
    const args = view.get(...entry, "args");
    const type = kinds.get(`kubescheduler.config.k8s.io/v1 ${name}Args`);
    const inside = type === undefined ? [] : decodeErrors(args ?? null, type, minor);
    const place = `decoding .${goPath(entry)}: `;
    const plugin = `decoding args for plugin ${name}: `;
    const typed = typeWords(inside);
    const strict = strictWords(unknownIn(inside).map(wordsOfDecoding));
    return {
      errors: inside.map((error) => ({ ...error, path: [...entry, "args", ...error.path] })),
      typed: typed && place + plugin + typed,
      strict: strict && `${place}strict decoding error: ${plugin}${strict}`,
    };
  });
}
