import type { InputProblem } from "../../config/configError";
import { suggest } from "../../config/suggestion";
import { ROTATABLE_SECRETS, ROTATION_STAGES } from "./rotation";

/** All problems of the form of a rotation, with their places in it: `talosCa.stage`. */
export function checkRotation(rotation: Readonly<Record<string, unknown>>): InputProblem[] {
  return Object.entries(rotation).flatMap(([secret, step]): InputProblem[] => {
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
    const problems: InputProblem[] = [];
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
