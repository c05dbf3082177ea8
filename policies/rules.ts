import type { Rule } from "./rule";
import { closedTalosApi } from "./rules/closedTalosApi";
import { encryptedVolumes } from "./rules/encryptedVolumes";
import { metadataTokens } from "./rules/metadataTokens";
import { oddControlPlanes } from "./rules/oddControlPlanes";
import { pinnedVersions } from "./rules/pinnedVersions";
import { plainSecrets } from "./rules/plainSecrets";
import { isProductionStack, protectedProduction } from "./rules/protectedProduction";

/** Options of the rules. */
export interface RuleOptions {
  /**
   * Whether a stack with this name is production. Default: if `prod` or `production` is a part of
   * it.
   */
  readonly isProduction?: (stack: string) => boolean;
}

/** All rules. */
export function allRules({ isProduction = isProductionStack }: RuleOptions = {}): readonly Rule[] {
  return [
    closedTalosApi,
    encryptedVolumes,
    metadataTokens,
    oddControlPlanes,
    pinnedVersions,
    plainSecrets,
    protectedProduction(isProduction),
  ];
}
