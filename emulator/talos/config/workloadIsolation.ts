import { type ConfigDocument, talosMinor } from "../../../provider/config";

/** The first minor whose machined can keep workloads in a namespace of their own. */
const FIRST_MINOR = 14;

/**
 * Whether a machine that boots with this configuration keeps its workloads in a namespace of their own. Without the document
 * it does not. Source: talos v1.14.1, `internal/app/machined/pkg/sandboxd/enabled.go`.
 */
export function isolatesWorkloads(
  documents: readonly ConfigDocument[],
  talosVersion: string,
): boolean {
  return (
    (talosMinor(talosVersion) ?? 0) >= FIRST_MINOR &&
    documents.some(
      ({ kind, workloadIsolation }) =>
        kind === "SecurityProfileConfig" && workloadIsolation === true,
    )
  );
}
