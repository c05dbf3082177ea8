import { ADD_ON_NAMES, ADD_ONS, type AddOnName } from "../../../components/addOns/registry";

/** Add-ons whose own objects can have an IAM role of their own. */
export const AWS_ADD_ONS: readonly AddOnName[] = ADD_ON_NAMES.filter(
  (name) => ADD_ONS[name].aws?.identity !== undefined,
);
