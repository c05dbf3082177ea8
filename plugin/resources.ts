import * as messages from "@pulumi/pulumi/proto/provider_pb";
import type { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { messageOfError, UNKNOWN } from "../provider/base";
import {
  type CheckFailure,
  COMPLETE,
  PartialCreateError,
  shortStub,
  URN,
} from "../provider/engine";
import {
  failureMessages,
  messageOf,
  type PartialResource,
  type Properties,
  propertiesOf,
  secretNames,
  secretValues,
} from "../provider/rpc";
import { resourceSchema } from "../provider/schema";
import { ignoredReason, serve, withoutValue } from "../provider/serve";
import { checkArguments } from "./checkArguments";
import { type CompleteInputs, completeInputs } from "./completeInputs";
import { changedNames, detailedDiff } from "./detailedDiff";
import { type AnyKind, kindOf } from "./kinds";
import { wasRefused } from "./refuseComponent";
import { withSchemaNames } from "./schemaNames";
import { writtenNames } from "./writtenNames";

const { DIFF_NONE, DIFF_SOME } = messages.DiffResponse.DiffChanges;

/** Completes the arguments of a program, and judges them. */
export async function check(request: messages.CheckRequest): Promise<messages.CheckResponse> {
  const { kind, type } = about(request);
  const response = new messages.CheckResponse();
  if (isAsRecorded(request)) {
    response.setInputs(request.getNews());
    return response;
  }
  const given = withSchemaNames(type, propertiesOf(request.getNews()), writtenNames());
  const completed = await complete(type, kind, given);
  if (!("inputs" in completed)) {
    response.setInputs(request.getNews());
    response.setFailuresList(failureMessages(completed.map(withoutValue)));
    return response;
  }
  const { inputs, failures } = await serve(kind.name).check(ownProperties(request.getOlds()), {
    ...completed.inputs,
    ...markedValues(kind, request),
    [URN]: request.getUrn(),
  });
  const isSecret = secretIn(kind, request.getNews());
  response.setInputs(messageOf(inputs, (name) => isSecret(name) || completed.secrets.has(name)));
  response.setFailuresList(failureMessages(failures));
  if (failures.length > 0) {
    wasRefused(request.getUrn());
  }
  return response;
}

/**
 * The values that a program in another language marked as secret. This package's own programs have
 * completed their inputs with them.
 */
function markedValues(kind: AnyKind, request: messages.CheckRequest): Properties {
  const { isMarkable } = kind;
  const news = request.getNews();
  return isMarkable === undefined || propertiesOf(news)[COMPLETE] === true
    ? {}
    : { markedValues: secretValues(news, isMarkable) };
}

/** Says what an update would do, and which inputs differ. */
export async function diff(request: messages.DiffRequest): Promise<messages.DiffResponse> {
  const { kind } = about(request);
  const news = ownProperties(request.getNews());
  const olds = ownProperties(request.getOldInputs());
  refuseIgnored(kind, request.getIgnorechangesList());
  const result = await serve(kind.name).diff(
    request.getId(),
    ownProperties(request.getOlds()),
    news,
  );
  const changed = changedNames(olds, news);
  const response = new messages.DiffResponse();
  response.setChanges((result.changes ?? changed.length > 0) ? DIFF_SOME : DIFF_NONE);
  response.setDiffsList(changed);
  const [wasSecret, isSecret] = [
    secretIn(kind, request.getOldInputs()),
    secretIn(kind, request.getNews()),
  ];
  const replaces = [...(result.replaces ?? [])];
  const detailed = detailedDiff(olds, news, {
    isSecret: (name) => wasSecret(name) || isSecret(name),
    replaces,
  });
  detailed.forEach((place, path) => response.getDetaileddiffMap().set(path, place));
  response.setHasdetaileddiff(detailed.size > 0);
  response.setReplacesList(replaces);
  response.setDeletebeforereplace(result.deleteBeforeReplace ?? false);
  return response;
}

/**
 * A provider that computes inputs sees only here which of them the engine has kept.
 *
 * @throws Error if `ignoreChanges` names one that can't be kept
 */
function refuseIgnored(kind: AnyKind, ignoreChanges: readonly string[]): void {
  const { unignorable } = serve(kind.name);
  const roots = ignoreChanges.map((path) => /^\W*(\w+)/.exec(path)?.[1] ?? "");
  const [name] = roots.filter((root) => unignorable.includes(root));
  if (name !== undefined) {
    throw new Error(ignoredReason(name));
  }
}

/** Creates a resource. In a preview, the answer is what `check` computed. */
export async function create(request: messages.CreateRequest): Promise<messages.CreateResponse> {
  const { kind, type } = about(request);
  const inputs = ownProperties(request.getProperties());
  const isSecret = secretIn(kind, request.getProperties());
  const response = new messages.CreateResponse();
  if (request.getPreview()) {
    response.setProperties(messageOf(foreseen(type, kind, inputs), isSecret));
    return response;
  }
  const { id, outs } = await serve(kind.name).create(inputs);
  response.setId(id);
  response.setProperties(messageOf(recorded(kind, outs), isSecret));
  return response;
}

/** Reads a resource as it is. Without a state, it takes over an existing object. */
export async function read(request: messages.ReadRequest): Promise<messages.ReadResponse> {
  const { kind } = about(request);
  const state = ownProperties(request.getProperties());
  const isImport = Object.keys(state).length === 0;
  const found = isImport
    ? await serve(kind.name).import(request.getId(), request.getUrn())
    : await serve(kind.name).read(request.getId(), state, request.getUrn());
  const response = new messages.ReadResponse();
  response.setId(found.id);
  response.setProperties(
    messageOf(recorded(kind, found.props), secretIn(kind, request.getProperties())),
  );
  response.setInputs(
    messageOf(
      found.inputs ?? ownProperties(request.getInputs()),
      secretIn(kind, request.getInputs()),
    ),
  );
  return response;
}

/** Updates a resource. In a preview, the answer is what `check` computed. */
export async function update(request: messages.UpdateRequest): Promise<messages.UpdateResponse> {
  const { kind, type } = about(request);
  const news = ownProperties(request.getNews());
  const isSecret = secretIn(kind, request.getNews());
  const response = new messages.UpdateResponse();
  if (request.getPreview()) {
    response.setProperties(messageOf(foreseen(type, kind, news), isSecret));
    return response;
  }
  const olds = ownProperties(request.getOlds());
  const { outs } = await serve(kind.name).update(request.getId(), olds, news);
  response.setProperties(messageOf(recorded(kind, outs), isSecret));
  return response;
}

/** Deletes a resource. */
export async function remove(request: messages.DeleteRequest): Promise<void> {
  const { kind } = about(request);
  const state = ownProperties(request.getProperties());
  await serve(kind.name).delete(request.getId(), state, request.getUrn());
}

/** The resource that a failed create leaves behind. */
export function createdPartly(
  error: unknown,
  request: messages.CreateRequest,
): PartialResource | undefined {
  return partialOf(error, request, request.getProperties());
}

/** The resource that a failed update leaves behind. */
export function updatedPartly(
  error: unknown,
  request: messages.UpdateRequest,
): PartialResource | undefined {
  return partialOf(error, request, request.getNews());
}

function partialOf(
  error: unknown,
  request: AboutResource,
  inputs: Struct | undefined,
): PartialResource | undefined {
  if (!(error instanceof PartialCreateError)) {
    return undefined;
  }
  const { kind } = about(request);
  const properties = recorded(kind, { ...error.properties });
  return { id: error.id, properties: messageOf(properties, secretIn(kind, inputs)) };
}

interface AboutResource {
  getUrn(): string;
  getType(): string;
}

/** The type of the resource that a request is about; the URN ends the types of its parents with it. */
function typeOf(request: AboutResource): string {
  const type = request.getType();
  return type === "" ? (request.getUrn().split("::")[2]?.split("$").pop() ?? "") : type;
}

function about(request: AboutResource): { readonly kind: AnyKind; readonly type: string } {
  const type = typeOf(request);
  return { kind: kindOf(type), type };
}

/**
 * Whether the inputs are those of the state, without the ones that no state keeps: so the engine
 * checks what it has imported, and so a program declares it until it manages it.
 */
function isAsRecorded(request: messages.CheckRequest): boolean {
  const news = propertiesOf(request.getNews());
  return (
    news[COMPLETE] !== true &&
    request.getOlds()?.getFieldsMap().getLength() !== 0 &&
    changedNames(ownProperties(request.getOlds()), news).length === 0
  );
}

async function complete(
  type: string,
  kind: AnyKind,
  given: Properties,
): Promise<CompleteInputs | CheckFailure[]> {
  const failures = given[COMPLETE] === true ? [] : checkArguments(type, given, writtenNames());
  if (failures.length > 0) {
    return failures;
  }
  try {
    return await completeInputs(kind, given);
  } catch (error) {
    // For example a patch file that does not exist.
    return [{ property: "", reason: messageOfError(error) }];
  }
}

/** A state with which the stack can change to dynamic resources. */
function recorded(kind: AnyKind, outs: Properties): Properties {
  return { ...outs, __provider: shortStub(kind.name) };
}

/** Properties without what a stack of dynamic resources has recorded among them. */
function ownProperties(message: Struct | undefined): Properties {
  const { __provider, ...properties } = propertiesOf(message);
  return properties;
}

/** Whether the state encrypts a property: by its kind, or because the program's value is secret. */
function secretIn(kind: AnyKind, message: Struct | undefined): (name: string) => boolean {
  const given = secretNames(message);
  return (name) => kind.secrets.includes(name) || given.has(name);
}

function foreseen(type: string, kind: AnyKind, inputs: Properties): Properties {
  const checked = serve(kind.name).checked(inputs);
  const names = Object.keys(resourceSchema(type).properties);
  return Object.fromEntries(names.map((name) => [name, checked[name] ?? UNKNOWN]));
}
