import { changingSteps } from "./changingSteps";
import { endingSteps } from "./endingSteps";
import { readingSteps } from "./readingSteps";
import type { SessionStep } from "./sessionStep";
import { startingSteps } from "./startingSteps";

/** The life of a cluster, told in commands of talosctl; each goes on where the one before it ended. */
export const sessionScript: readonly SessionStep[] = [
  ...startingSteps,
  ...readingSteps,
  ...changingSteps,
  ...endingSteps,
];
