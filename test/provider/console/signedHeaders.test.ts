import { Sha256 } from "@aws-crypto/sha256-js";
import { SignatureV4 } from "@smithy/signature-v4";
import fc from "fast-check";
import { signedHeaders } from "../../../provider/console/signedHeaders";

const word = fc.stringMatching(/^[a-zA-Z0-9/+]{1,40}$/);

describe("a signed call of AWS", () => {
  it("has the signature of the AWS SDK's own signer", async () => {
    const keys = fc.record(
      { accessKeyId: word, secretAccessKey: word, sessionToken: word },
      { requiredKeys: ["accessKeyId", "secretAccessKey"] },
    );
    const call = fc.record({
      keys,
      service: fc.constantFrom("ec2", "sts"),
      region: fc.constantFrom("eu-central-1", "cn-north-1"),
      body: fc.string(),
      at: fc.date({
        min: new Date("2020-01-01"),
        max: new Date("2099-01-01"),
        noInvalidDate: true,
      }),
    });
    await fc.assert(
      fc.asyncProperty(call, async ({ keys: credentials, body, at, ...where }) => {
        const url = new URL(`http://${where.service}.example:8080/`);
        const { authorization, ...headers } = await signedHeaders(
          { ...where, keys: credentials },
          url,
          body,
          at,
        );
        const signer = new SignatureV4({
          ...where,
          credentials,
          sha256: Sha256,
          applyChecksum: false,
        });
        const request = { method: "POST", protocol: "http:", hostname: url.hostname, path: "/" };
        const signed = await signer.sign(
          {
            ...request,
            headers: { host: url.host, "content-type": headers["content-type"] ?? "" },
            body,
          },
          { signingDate: at },
        );
        expect({ ...headers, authorization }).toEqual(signed.headers);
      }),
      { numRuns: 50 },
    );
  });
});
