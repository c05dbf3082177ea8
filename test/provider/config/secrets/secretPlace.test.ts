import { outlineDocuments } from "../../../../provider/config/effects/outline";
import type { YamlValue } from "../../../../provider/config/machineConfig";
import { formats } from "../../../../provider/config/schema/formats";
import { redactDocument } from "../../../../provider/config/secrets/redact";
import { secretField, secretInside } from "../../../../provider/config/secrets/secretField";
import { type SecretPlace, secretPlace } from "../../../../provider/config/secrets/secretPlace";
import { encodeDocuments } from "../../../../provider/config/yaml/encode";
import { documentWith, type SchemaLeaf, schemaLeaves } from "../schemaLeaves";
import { shownTexts } from "../shownTexts";

const SECRET = "n0t-for-eyes";

/** Forms with room for a secret: an address has credentials, a condition or a certificate is any text. */
const ROOMY: ReadonlySet<string> = new Set(["url", "base64", "cel"]);

const texts = schemaLeaves().filter(({ scalar }) => scalar?.types.includes("string") ?? true);

/** Places with the same type, field and path are the same for every release. */
const once = [
  ...new Map(texts.map((leaf) => [`${leaf.kind || "v1alpha1"}: ${leaf.path.join(".")}`, leaf])),
];

function nameOf({ owner: { type, field } }: SchemaLeaf): string {
  return `${type}.${field}`;
}

function isHidden({ owner: { type, field } }: SchemaLeaf): boolean {
  return secretField(type, field) !== undefined;
}

/** Whether a place decides what is hidden in its content: see `SecretPlace`. */
function isFree({ owner: { type, field } }: SchemaLeaf): boolean {
  return [secretPlace, secretInside].some((answer) => answer(type, field) !== undefined);
}

function isFormed({ scalar }: SchemaLeaf): boolean {
  return scalar?.format !== undefined && !ROOMY.has(scalar.format);
}

function shownAs(leaf: SchemaLeaf) {
  return shownTexts.filter(({ fields }) =>
    [nameOf(leaf), `*.${leaf.owner.field}`].some((name) => fields.includes(name)),
  );
}

test("each text of each kind of document is hidden, free, of a form, or shown for one reason", () => {
  const answers = (leaf: SchemaLeaf) =>
    isHidden(leaf) || isFree(leaf) || isFormed(leaf) ? 1 : shownAs(leaf).length;
  const undecided = texts.filter((leaf) => answers(leaf) !== 1).map(nameOf);
  expect([...new Set(undecided)]).toEqual([]);
  expect(once.length).toBeGreaterThan(700);
});

test("each reason has fields that some release has and that nothing else decides", () => {
  const shown = texts.filter((leaf) => !isHidden(leaf) && !isFree(leaf) && !isFormed(leaf));
  const known = new Set(shown.flatMap((leaf) => [nameOf(leaf), `*.${leaf.owner.field}`]));
  const fields = shownTexts.flatMap((each) => each.fields);
  expect(fields.filter((field) => !known.has(field))).toEqual([]);
  expect(new Set(fields).size).toBe(fields.length);
});

test("a form has no room for a secret", () => {
  const forms = new Set(texts.filter(isFormed).map(({ scalar }) => scalar?.format ?? ""));
  expect([...forms].filter((form) => formats.get(form)?.accepts(SECRET) !== false)).toEqual([]);
  expect(forms.size).toBeGreaterThan(8);
});

test.each(once.filter(([, leaf]) => isHidden(leaf)))("%s is hidden whole", (_, leaf) => {
  const document = documentWith(leaf, SECRET);
  const outline = JSON.stringify(outlineDocuments([document]));
  expect(encodeDocuments([document])).toContain(SECRET);
  expect(outline).not.toContain(SECRET);
  expect(outline).toContain("«secret");
});

/** Content with a secret, by how a place judges content. */
const plantedIn: Readonly<Record<SecretPlace, (leaf: SchemaLeaf) => YamlValue>> = {
  variables: () => SECRET,
  tags: () => SECRET,
  flags: () => SECRET,
  arguments: () => `--password=${SECRET}`,
  assignments: () => `password=${SECRET}`,
  object: () => ({ password: SECRET }),
  pod: () => ({ env: [{ name: "SOME", value: SECRET }] }),
  credentialProvider: () => ({ args: [SECRET] }),
  manifest: ({ scalar }) =>
    scalar === undefined ? { password: SECRET } : `kind: ConfigMap\ndata: { password: ${SECRET} }`,
};

test.each(once.filter(([, leaf]) => isFree(leaf)))(
  "%s hides what is secret in its content",
  (_, leaf) => {
    const { type, field } = leaf.owner;
    const place = secretPlace(type, field);
    const content =
      place === undefined
        ? { [secretInside(type, field)?.name ?? ""]: SECRET }
        : plantedIn[place](leaf);
    const document = documentWith(leaf, content);
    const outline = JSON.stringify(outlineDocuments([document]));
    expect(JSON.stringify(document)).toContain(SECRET);
    expect(outline).not.toContain(SECRET);
    expect(outline).toContain("«secret");
  },
);

test.each(
  once.flatMap(([what, leaf]) =>
    isHidden(leaf) || isFree(leaf) || isFormed(leaf)
      ? []
      : shownAs(leaf).map((shown) => [what, leaf, shown] as const),
  ),
)("%s is shown, but what looks like a secret", (_, leaf, { planted, shown }) => {
  const text = planted(SECRET);
  const redacted = JSON.stringify(redactDocument(documentWith(leaf, text)));
  expect(redacted).not.toContain(SECRET);
  expect(redacted).not.toContain(text);
  expect(redacted).toContain("«secret");
  expect(redacted).toContain(shown);
});
