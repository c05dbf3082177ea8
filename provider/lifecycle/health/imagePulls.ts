import type { ServiceStatus } from "../../api/talosClient";

/** A service's event and line when its image is pulled, which is before it starts. */
const PULLING = "Running pre state";

/** What Talos logs of a pull that it tries again, after the time. */
const RETRY = /retrying error: (failed to pull image .*)$/;

/** Whether a service waits for its image: until Talos gives up, its state says no more than that. */
export function isPulling({ state, events }: ServiceStatus): boolean {
  return state === "Preparing" && events.at(-1)?.message === PULLING;
}

/**
 * Why images of these services can't be pulled, by the lines of Talos' log, oldest first. Talos tries
 * six times if the image doesn't exist, and for 20 minutes if its registry doesn't answer. It logs
 * each different error once. Sources: Talos v1.12.1, `internal/pkg/containers/image/image.go`, the
 * same in v1.14 (`pull.go`); siderolabs/go-retry v0.3.3, `retry/retry.go`.
 */
export function failingPulls(
  services: readonly ServiceStatus[],
  lines: readonly string[],
): readonly string[] {
  const begins = services
    .filter(isPulling)
    .map(({ id }) =>
      lines.findLastIndex((line) => line.includes(`service[${id}](Preparing): ${PULLING}`)),
    );
  if (begins.length === 0) {
    return [];
  }
  // Where its begin is no longer in the log, all of that is later.
  const errors = lines.slice(Math.min(...begins) + 1).flatMap((line) => {
    const [, error] = RETRY.exec(line) ?? [];
    return error === undefined ? [] : [error];
  });
  return [...new Set(errors)];
}
