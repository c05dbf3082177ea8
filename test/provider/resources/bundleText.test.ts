import * as pulumi from "@pulumi/pulumi";
import { bundleOf, bundleText } from "../../../provider/resources/bundleText";
import { sharedSecrets } from "../pki/sharedSecrets";

describe("a secrets bundle as one text", () => {
  it("is a secret, the same for all resources with the bundle, and can be read back", async () => {
    const bundle = pulumi.output(await sharedSecrets());
    const text = bundleText(bundle);
    expect(bundleText(bundle)).toBe(text);
    expect(await pulumi.isSecret(text)).toBe(true);
    const read = await new Promise<string>((resolve) => text.apply(resolve));
    expect(bundleOf(read)).toEqual(await sharedSecrets());
    expect(bundleOf(read)).toBe(bundleOf(read));
    expect(bundleOf(await sharedSecrets())).toBe(await sharedSecrets());
  });
});
