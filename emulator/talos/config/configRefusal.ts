/** Why a node does not take a configuration, in Talos' words. Holds no value that could be secret. */
export class ConfigRefusal extends Error {
  override readonly name = "ConfigRefusal";

  constructor(
    /** `parse`: it cannot be read as a configuration at all; `validate`: what it says is not allowed. */
    readonly stage: "parse" | "validate",
    message: string,
  ) {
    super(message);
  }
}
