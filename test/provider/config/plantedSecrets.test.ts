import { documentsOfOutline, outlineDocuments } from "../../../provider/config/effects/outline";
import { redactDocuments } from "../../../provider/config/secrets/redact";
import { validateDocuments } from "../../../provider/config/validate";
import { decodeDocuments } from "../../../provider/config/yaml/encode";
import { planted } from "./plantedSecrets";

const named = planted.map((each) => [each.what, each] as const);

test("there are many of them, each with its own name", () => {
  expect(planted.length).toBeGreaterThan(100);
  expect(new Set(planted.map(({ what }) => what)).size).toBe(planted.length);
});

/** A secret as it is, in base64 and in an address. */
function formsOf(secret: string): string[] {
  return [secret, Buffer.from(secret).toString("base64"), encodeURIComponent(secret)];
}

describe.each(named)("%s", (_what, { yaml, secrets, shown = [] }) => {
  const documents = decodeDocuments(yaml);
  const outline = JSON.stringify(outlineDocuments(documents));

  test("is hidden in the outline, and what is around it is not", () => {
    expect(secrets.some((secret) => yaml.includes(secret))).toBe(true);
    for (const secret of secrets.flatMap(formsOf)) {
      expect(outline).not.toContain(secret);
    }
    expect(outline).toContain("«secret");
    for (const part of shown) {
      expect(outline).toContain(part);
    }
  });

  test("stays hidden, and the rest unchanged, by a second redaction", () => {
    const redacted = redactDocuments(documents);
    expect(redactDocuments(redacted)).toEqual(redacted);
    const restored = documentsOfOutline(outlineDocuments(documents));
    expect(outlineDocuments(restored)).toMatchObject(outlineDocuments(documents));
  });

  test("is in no message about the configuration", () => {
    const problems = JSON.stringify(validateDocuments(documents));
    for (const secret of secrets.flatMap(formsOf)) {
      expect(problems).not.toContain(secret);
    }
  });
});

test("two secrets have two marks, where the cluster has a secret", () => {
  const shown = (key: string, cluster = "b25l") =>
    JSON.stringify(
      outlineDocuments(
        decodeDocuments(
          `cluster: { secret: ${cluster} }\n---\napiVersion: v1alpha1\nkind: ExtensionServiceConfig\nname: a\nenvironment: ["TS_AUTHKEY=${key}"]\n`,
        ),
      ),
    );
  expect(shown("one")).toMatch(/TS_AUTHKEY=«secret hmac:[0-9a-f]{8}»/);
  expect(shown("one")).toBe(shown("one"));
  expect(shown("one")).not.toBe(shown("two"));
  expect(shown("one").replace(/sha256:\w+/, "")).not.toBe(
    shown("one", "dHdv").replace(/sha256:\w+/, ""),
  );
});
