import { wayToStage } from "./keyPath";
import { type ConfigDocument, textAt } from "./machineConfig";
import { textIn } from "./settings/settingIn";

/**
 * Why a machine isn't ready for the last stage of the trustd token's rotation. Control planes need no answer: the stage gives
 * them the token themselves. Undefined without a problem.
 *
 * @param before the outline of the configuration that the machine runs
 * @param target the outline of the control planes' configuration in that stage
 */
export function trustdTokenProblem(
  before: ConfigDocument,
  target: ConfigDocument,
): string | undefined {
  const [own, accepted] = [before, target].map((outline) => textIn(outline, "machine.token"));
  const isOther = own !== undefined && accepted !== undefined && own !== accepted;
  return isOther && textAt(before.machine, "type") === "worker"
    ? `the machine has the trustd token that control planes would refuse, so it would lose its Talos API when it restarts or its certificate ends. ${wayToStage("trustdToken")}`
    : undefined;
}
