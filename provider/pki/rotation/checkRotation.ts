import { suggest } from "../../config/suggestion";
import { ROTATABLE_SECRETS, ROTATION_STAGES } from "./rotation";

/** A problem of a rotation. */
interface Problem {
  /** The place within the rotation: `talosCa.stage`. */
  readonly property: string;
  readonly reason: string;
}

/** All problems of the form of a rotation. */
export function checkRotation(rotation: Readonly<Record<string, unknown>>): Problem[] {
  return Object.entries(rotation).flatMap(([secret, step]): Problem[] => {
    if (step === undefined) {
      return [];
    }
    const stages = (ROTATION_STAGES as Readonly<Record<string, readonly string[]>>)[secret];
    if (stages === undefined || !Object.hasOwn(ROTATION_STAGES, secret)) {
      return [{ property: secret, reason: unknownSecret(secret) }];
    }
    const { to, stage } = (typeof step === "object" && step !== null ? step : {}) as {
      readonly to?: unknown;
      readonly stage?: unknown;
    };
    const problems: Problem[] = [];
    if (!(typeof to === "number" && Number.isSafeInteger(to) && to >= 2)) {
      const reason = `${JSON.stringify(to)} is not a generation: give a whole number, 2 for the first rotation, one more for each further one`;
      problems.push({ property: `${secret}.to`, reason });
    }
    if (!(typeof stage === "string" && stages.includes(stage))) {
      const reason = `${JSON.stringify(stage)} is not a stage: use ${stages.join(", ")}, one "up" for each`;
      problems.push({ property: `${secret}.stage`, reason });
    }
    return problems;
  });
}

function unknownSecret(name: string): string {
  const near = suggest(name, ROTATABLE_SECRETS);
  const hint = near === undefined ? "" : `, did you mean "${near}"`;
  return `there is no "${name}"${hint}: you can rotate ${ROTATABLE_SECRETS.join(", ")}`;
}
