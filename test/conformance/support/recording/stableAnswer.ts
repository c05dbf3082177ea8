import type { Answer, Request } from "../oracle";

const separator = "---\n";

/**
 * An answer as it is each time. Talos v1.12 generates the mirrors of registries in random order: here
 * they stand in that of their texts. And of resources that a pod can't have, Talos names any one.
 */
export function stableAnswer(request: Request, answer: Answer<unknown>): Answer<unknown> {
  if (answer.refused !== undefined) {
    return { ...answer, refused: withoutChosenResource(answer.refused) };
  }
  return request.do === "generate" && typeof answer.result === "string"
    ? { result: withMirrorsInOrder(answer.result) }
    : answer;
}

function withoutChosenResource(message: string): string {
  return message.replaceAll(/unsupported pod resource "[^"]*"/g, 'unsupported pod resource "…"');
}

function withMirrorsInOrder(config: string): string {
  const documents = config.split(separator);
  const mirrors = documents.filter(isMirror).sort();
  return documents
    .map((document) => (isMirror(document) ? (mirrors.shift() ?? document) : document))
    .join(separator);
}

function isMirror(document: string): boolean {
  return /^kind: RegistryMirrorConfig$/m.test(document);
}
