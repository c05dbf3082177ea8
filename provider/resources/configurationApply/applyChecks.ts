import { isCertificateFingerprint } from "../../api/maintenanceServers";
import { isUnknown } from "../../base/unknown";
import { type InstanceConsole, parseInstanceArn } from "../../console/readConsole";
import { checkTimeout } from "../../engine/checkTimeout";
import { checkWord } from "../../engine/checkWord";
import type { CheckFailure } from "../../engine/handler";
import { checkOnDestroy } from "../../engine/onDestroy";
import {
  APPLY_MODES,
  FIRST_DELIVERIES,
  type Takeover,
  TAKEOVERS,
} from "../../lifecycle/delivery/delivery";
import { checkDrain } from "./applyDrain";
import type { ApplyInputs } from "./applyRecord";
import { DEFAULT_UPGRADE_TIMEOUT_SECONDS } from "./applyUpgrade";
import { checkSettled } from "./recordedHealth";

/** Of a machine, only its own patches can have secrets anywhere: see `TalosKind`. */
export function isMarkable(argument: string): boolean {
  return argument === "patches";
}

/** How long a machine may take to run its configuration, unless the program says so. */
export const DEFAULT_TIMEOUT_SECONDS = 600;

/**
 * All problems of how a machine gets its configuration. The configuration itself is checked
 * elsewhere.
 */
export function checkChoices(news: ApplyInputs): CheckFailure[] {
  return [
    ...checkTimeout(news.timeoutSeconds),
    ...checkTimeout(upgradeTimeoutOf(news), "upgradeTimeoutSeconds"),
    ...checkSettled(news.settledSeconds),
    ...checkWord("mode", news.mode, Object.keys(APPLY_MODES)),
    ...checkWord("delivery", news.delivery ?? "apply", FIRST_DELIVERIES),
    ...checkWord("takeover", takeoverOf(news), TAKEOVERS),
    ...checkFingerprints("maintenanceFingerprints", news.maintenanceFingerprints),
    ...checkFingerprints("firstContact", news.firstContact),
    ...checkConsole(news.console),
    ...checkOnDestroy(news.onDestroy),
    ...checkDrain(news.drain),
  ];
}

/** The time limit of an upgrade in seconds. */
export function upgradeTimeoutOf({ upgradeTimeoutSeconds }: ApplyInputs): number {
  return upgradeTimeoutSeconds ?? DEFAULT_UPGRADE_TIMEOUT_SECONDS;
}

/** How a configured machine is taken over, with the default filled in. */
export function takeoverOf({ takeover, delivery }: ApplyInputs): Takeover {
  return takeover ?? (delivery === "userData" ? "auto" : "noReboot");
}

/** Problems of fingerprints. */
export function checkFingerprints(
  property: string,
  fingerprints: readonly string[] | undefined,
): CheckFailure[] {
  if (fingerprints === undefined || isUnknown(fingerprints)) {
    return [];
  }
  return fingerprints
    .filter((each) => !isUnknown(each) && !isCertificateFingerprint(each))
    .map((each) => ({
      property,
      reason: `"${each}" is no fingerprint of a certificate: give the 44 characters that the machine's console prints after --cert-fingerprint`,
    }));
}

/** Problems of where EC2 shows the console. An unknown instance has none. */
export function checkConsole(console: InstanceConsole | undefined): CheckFailure[] {
  const arn: unknown = console?.instanceArn;
  if (console === undefined || isUnknown(console) || isUnknown(arn)) {
    return [];
  }
  if (typeof arn === "string" && parseInstanceArn(arn) !== undefined) {
    return [];
  }
  const reason = `${JSON.stringify(arn)} is no ARN of an EC2 instance: give the output "arn" of an aws.ec2.Instance`;
  return [{ property: "console", reason: `console.instanceArn: ${reason}` }];
}
