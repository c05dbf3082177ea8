import { inspect } from "node:util";
import * as pulumi from "@pulumi/pulumi";
import { ProgramError } from "../../environments/programError";

describe("ProgramError", () => {
  it("is shown only by its message, whatever Pulumi attaches to it", () => {
    const error = Object.assign(new ProgramError("no region is given"), { promise: process });
    expect(pulumi.RunError.isInstance(error)).toBe(true);
    expect(inspect(error)).toBe("no region is given");
  });
});
