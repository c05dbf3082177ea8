import * as pulumi from "@pulumi/pulumi";
import { contractHas } from "../../../provider/config";
import {
  AUTHENTICATION_FILE,
  AUTHENTICATION_FLAG,
  AUTHENTICATION_FOLDER,
  authenticationFile,
} from "../../access/planAccessPatches";
import { hasIssuers, planAuthentication } from "../../access/planAuthentication";
import { joined, type Plan, plannedFlag, type PlannedPlaces } from "./plan";

/** Flags that Kubernetes refuses beside the file (v1.37.2, `kubeapiserver/options/authentication.go`). */
const OIDC_FLAGS = [
  "oidc-issuer-url",
  "oidc-client-id",
  "oidc-ca-file",
  "oidc-username-claim",
  "oidc-username-prefix",
  "oidc-groups-claim",
  "oidc-groups-prefix",
  "oidc-required-claim",
  "oidc-signing-algs",
];

/** Where API servers are told whose tokens they accept: in a document from contract v1.14 on, before by a flag. */
export function logins({ args, endpoint }: Plan): PlannedPlaces {
  const { access, versionContract } = args;
  if (!hasIssuers(access)) {
    return {};
  }
  const { oidc = [], aws } = access ?? {};
  const urls = [...oidc, ...(aws === undefined ? [] : [aws])].map(({ issuerUrl }) => issuerUrl);
  const wayOut = "use the argument access: roles and kubeconfigs belong to these issuers";
  const valueIf = (isInDocument: boolean, value: pulumi.Input<string>) =>
    pulumi
      .all([versionContract, value])
      .apply(([contract, known]) =>
        contractHas(contract, "kubernetesDocuments") === isInDocument ? known : undefined,
      );
  const jwt = "KubeAuthenticationConfig.configuration.jwt";
  const program = "cluster.apiServer";
  const content = pulumi
    .all([pulumi.output(access), endpoint])
    .apply(([known = {}, url]) =>
      authenticationFile(
        planAuthentication({ oidc: known.oidc ?? [], ...(known.aws && { aws: known.aws }) }, url),
      ),
    );
  return {
    ...Object.fromEntries(
      urls.map((url, index) => [
        `${jwt}.${index}.issuer.url`,
        { value: valueIf(true, url), wayOut },
      ]),
    ),
    [`${jwt}.${urls.length}`]: { wayOut },
    ...joined(OIDC_FLAGS.map((flag) => plannedFlag(program, flag, { wayOut }))),
    // Its second spelling would be the same flag once more.
    ...plannedFlag(program, AUTHENTICATION_FLAG, { wayOut }),
    [`${program}.extraArgs.${AUTHENTICATION_FLAG}`]: {
      value: valueIf(false, AUTHENTICATION_FILE),
      wayOut,
    },
    // A JSON patch can rewrite what is in it.
    [`machine.files.${AUTHENTICATION_FOLDER}/*.content`]: {
      value: valueIf(false, content),
      wayOut,
    },
  };
}
