import { outlineDocuments } from "../../../../provider/config/effects/outline";
import { applyPatches } from "../../../../provider/config/patches/patch";
import { hiddenValues } from "../../../../provider/config/secrets/hiddenValues";
import { MarkedTexts, type MarkedValues } from "../../../../provider/config/secrets/markedValues";
import { tellNothing } from "../../../../provider/config/secrets/secretMark";
import { decodeDocuments } from "../../../../provider/config/yaml/encode";

const word = "blue whale/42";
const encoded = Buffer.from(word).toString("base64");

/** Places in which no rule would hide the word. */
const yaml = (text: string) => `version: v1alpha1
machine:
  type: worker
  nodeLabels: { whole: ${JSON.stringify(text)} }
  nodeAnnotations:
    part: ${JSON.stringify(`before ${text} after`)}
    encoded: ${JSON.stringify(`{a: ${Buffer.from(`x${text}y`).toString("base64")}}`)}
    twice: ${JSON.stringify(Buffer.from(Buffer.from(`x${text}y`).toString("base64")).toString("base64"))}
    address: ${JSON.stringify(`/a/${encodeURIComponent(text)}/b`)}
    json: ${JSON.stringify(JSON.stringify({ mode: text }))}
    ${JSON.stringify(`key ${text}`)}: "1"
  kubelet: { extraConfig: { clusterDomain: ${JSON.stringify(text)} } }
  network: { hostname: ${JSON.stringify(text)} }
cluster:
  secret: b25l
  inlineManifests:
    - name: one
      contents: |
        kind: ConfigMap
        data:
          mode: ${JSON.stringify(text)}
`;

function shownWith(marked: MarkedValues, text = word): string {
  return JSON.stringify(outlineDocuments(decodeDocuments(yaml(text)), { marked }));
}

describe("values that a program marked as secret", () => {
  it("are hidden wherever they are", () => {
    const open = shownWith([]);
    expect(open.split("blue whale").length).toBeGreaterThan(6);
    const shown = shownWith([word]);
    for (const form of ["blue", "whale", encoded, encodeURIComponent(word), "Ymx1ZSB3aGFsZS80M"]) {
      expect(shown).not.toContain(form);
    }
    const { machine } = JSON.parse(shown) as { machine: Record<string, Record<string, string>> };
    expect(machine.nodeLabels?.whole).toMatch(/^«secret hmac:[0-9a-f]{8}»$/);
    expect(machine.nodeAnnotations?.part).toBe(`before ${machine.nodeLabels?.whole ?? ""} after`);
    expect(Object.keys(machine.nodeAnnotations ?? {})).toContain(
      `key ${machine.nodeLabels?.whole ?? ""}`,
    );
  });

  it("show that they change", () => {
    expect(shownWith([word])).not.toBe(shownWith(["red whale/43"], "red whale/43"));
    expect(shownWith([word])).toBe(shownWith([word]));
  });

  it.each([
    ["short", "ab1"],
    ["a number", "4711"],
    ["of several lines", "first line of it\nsecond line of it\n"],
    ["with quotes", `it's "quoted"`],
    ["like a mark's words", "sha256"],
    ["like a pattern", "$& .* (x"],
  ])("are hidden when %s", (_, text) => {
    const shown = shownWith([text], text);
    const open = shownWith([], text);
    const form = JSON.stringify(text.trim()).slice(1, -1);
    expect(JSON.parse(open)).toMatchObject({ machine: { nodeLabels: { whole: text } } });
    expect(JSON.parse(shown)).toMatchObject({
      machine: {
        nodeLabels: { whole: expect.stringMatching(/^«secret hmac:[0-9a-f]{8}»$/) as unknown },
        network: { hostname: expect.stringMatching(/^«secret hmac:[0-9a-f]{8}»$/) as unknown },
      },
    });
    expect(shown.replace(/«secret[^»]*»/g, "").split(form).length).toBeLessThanOrEqual(
      text.length < 5 ? 8 : 1,
    );
  });

  it.each([true, "true", "", null, undefined])("aren't %j, which every program has", (value) => {
    expect(shownWith([value])).toBe(shownWith([]));
  });

  it("keep what this package plans by", () => {
    const image = "ghcr.io/siderolabs/kubelet:v1.35.0";
    const documents = decodeDocuments(`machine: { type: worker, kubelet: { image: "${image}" } }`);
    expect(outlineDocuments(documents, { marked: [image, "worker"] })).toMatchObject({
      machine: { type: "worker", kubelet: { image } },
    });
  });
});

describe("a patch that is secret as a whole", () => {
  const patch = `machine:
  sysctls: { net.core.somaxconn: "65535" }
  nodeLabels: { place: atlantis }
  network: { interfaces: [{ interface: eth7, mtu: 9000, dhcp: true }] }
---
apiVersion: v1alpha1
kind: ExtensionServiceConfig
name: tailscale
environment: [TS_AUTHKEY=tskey-x]
`;
  const json = `[{"op": "add", "path": "/machine/nodeLabels", "value": {"place": "atlantis"}}]`;
  const base = decodeDocuments("version: v1alpha1\nmachine: { type: worker }\ncluster: {}\n");
  const outlineWith = (given: unknown, text: string) =>
    outlineDocuments(applyPatches(base, [text]), { marked: [given] });

  it.each([
    ["as a text", patch],
    ["from a file", { file: "a.yaml", text: patch }],
  ])("shows its keys and what can't be secret, %s", (_, given) => {
    const outline = outlineWith(given, patch);
    expect(outline).toMatchObject({
      machine: {
        type: "worker",
        sysctls: { "net.core.somaxconn": "65535" },
        nodeLabels: { place: "«secret»" },
        network: { interfaces: { eth7: { mtu: 9000, dhcp: true } } },
      },
      "ExtensionServiceConfig/tailscale": { environment: ["TS_AUTHKEY=«secret»"] },
    });
  });

  it("shows no value of a JSON patch", () => {
    expect(JSON.stringify(outlineWith(json, json))).not.toContain("atlantis");
    const yamlOfIt = `- op: add\n  path: /machine/nodeLabels\n  value: { place: atlantis }\n`;
    expect(JSON.stringify(outlineWith(yamlOfIt, yamlOfIt))).not.toContain("atlantis");
  });
});

describe("messages", () => {
  const texts = new MarkedTexts([word, "x".repeat(100)]);

  it.each([
    [`"${word}" is not a name`, `"«secret»" is not a name`],
    [`the URL https://a/${encodeURIComponent(word)} is wrong`, "the URL https://«secret» is wrong"],
    [`"${"x".repeat(80)}…" is too long`, `"«secret»…" is too long`],
    ["nothing of it", "nothing of it"],
  ])("%j", (message, shown) => {
    expect(texts.hideInMessage(message, tellNothing).replace("//a/", "//")).toBe(shown);
  });
});

test("who gets a configuration and its outline knows what is hidden", () => {
  const documents = decodeDocuments(yaml(word));
  const outline = outlineDocuments(documents, { marked: [word] });
  const found = hiddenValues(documents, outline);
  expect(found).toContain(word);
  expect(shownWith(found)).not.toMatch(/blue|whale/);
  expect(hiddenValues(documents, outlineDocuments(documents))).toEqual([]);
});
