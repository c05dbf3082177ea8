import * as pulumi from "@pulumi/pulumi";
import type { ClusterAccessArgs } from "../../../components/access/accessArgs";
import { chooseAddOns } from "../../../components/cluster/addOns/chooseAddOns";
import type { TalosClusterArgs } from "../../../components/cluster/arguments/talosClusterArgs";
import { checkTalosCluster } from "../../../components/cluster/checks/checkTalosCluster";
import { standardCluster } from "../cluster/standardCluster";

const ROLE = "arn:aws:iam::123456789012:role/teams/Dev";
const ISSUER = "https://login.example.com";
const AWS = "https://a1faa616-d595-447d-bdfd-64b774ab199c.tokens.sts.global.api.aws";

const oidc = { issuerUrl: ISSUER, audiences: ["kubernetes"] };
const aws = { issuerUrl: AWS, roles: { [ROLE]: ["deployers"] } };

const problems = (access: ClusterAccessArgs, change: Partial<TalosClusterArgs> = {}) =>
  checkTalosCluster("c", chooseAddOns({ ...standardCluster, ...change, access }))
    .filter(({ property }) => property.startsWith("access"))
    .map(({ property, reason }) => `${property}: ${reason}`);

describe("logins", () => {
  it.each<[string, ClusterAccessArgs]>([
    ["nothing", {}],
    ["an issuer", { oidc: [oidc] }],
    ["a role with a path", { aws }],
    [
      "a role of Identity Center, a user, another partition",
      {
        aws: {
          issuerUrl: AWS,
          roles: {
            "arn:aws:iam::123456789012:role/aws-reserved/sso.amazonaws.com/eu-west-2/AWSReservedSSO_Dev_c95738f708c1c268":
              ["a"],
            "arn:aws:iam::123456789012:user/ci": ["b"],
            "arn:aws-us-gov:iam::123456789012:role/Dev": ["c"],
          },
        },
      },
    ],
    [
      "two issuers with own prefixes",
      {
        oidc: [
          { ...oidc, groupsClaim: "groups", groupsPrefix: "" },
          { ...oidc, issuerUrl: "https://other.example.com/realms/a", usernamePrefix: "other:" },
        ],
        aws,
        groups: {
          deployers: { clusterRole: "edit", namespaces: ["apps", "default"] },
          "oidc:/team/web": { clusterRole: "system:aggregate-to-view" },
        },
      },
    ],
    [
      "administrators by name",
      { aws: { ...aws, roles: { [ROLE]: ["system:masters"] }, allowAdministrators: true } },
    ],
    ["an issuer that is known later", { aws: { ...aws, issuerUrl: pulumi.output("http://a") } }],
  ])("may be %s", (_name, access) => {
    expect(problems(access)).toEqual([]);
  });

  it("quotes no issuer with a user or a query, which may be secrets", () => {
    for (const issuerUrl of ["https://me:hunter2@a.example", `${ISSUER}?key=hunter2`]) {
      const found = problems({ oidc: [{ ...oidc, issuerUrl }] });
      expect(found).toHaveLength(1);
      expect(JSON.stringify(found)).not.toContain("hunter2");
    }
  });

  it.each<[string, ClusterAccessArgs, readonly string[]]>([
    [
      "http",
      { oidc: [{ ...oidc, issuerUrl: "http://login.example.com" }] },
      ['access.oidc[0].issuerUrl: "http://login.example.com" is no URL of an issuer'],
    ],
    [
      "a query, a user",
      {
        oidc: [
          { ...oidc, issuerUrl: `${ISSUER}?a=b` },
          { ...oidc, issuerUrl: "https://me@a.example", usernamePrefix: "b:" },
        ],
      },
      ["access.oidc[0].issuerUrl: ", "access.oidc[1].issuerUrl: "],
    ],
    [
      "the cluster's own issuer",
      { oidc: [{ ...oidc, issuerUrl: "https://k8s.sandbox.example.com:6443" }] },
      ["access.oidc[0].issuerUrl: "],
    ],
    [
      "no audience",
      { oidc: [{ ...oidc, audiences: [] }] },
      ["access.oidc[0].audiences: name each client"],
    ],
    [
      "an audience twice",
      { oidc: [{ ...oidc, audiences: ["a", "a"] }] },
      ['access.oidc[0].audiences: "a" is there twice'],
    ],
    [
      "empty claims, and a prefix without groups",
      {
        oidc: [{ ...oidc, usernameClaim: "", groupsPrefix: "g:", requiredClaims: { tenant: "" } }],
      },
      [
        "access.oidc[0].usernameClaim: it is empty",
        "access.oidc[0].groupsPrefix: there are no groups",
        'access.oidc[0].requiredClaims["tenant"]: claim and value can\'t be empty',
      ],
    ],
    [
      "Kubernetes' own names",
      {
        oidc: [{ ...oidc, groupsClaim: "g", usernamePrefix: "system:", groupsPrefix: "system:n" }],
        aws: { ...aws, roles: { [ROLE]: ["system:masters", "system:nodes"] } },
        groups: { "system:authenticated": { clusterRole: "view" } },
      },
      [
        'access.oidc[0].usernamePrefix: "system:" begins with system:',
        'access.oidc[0].groupsPrefix: "system:n" begins with system:',
        `access.aws.roles["${ROLE}"]: "system:masters" may do everything`,
        `access.aws.roles["${ROLE}"]: "system:nodes" is one of Kubernetes' own groups`,
        'access.groups["system:authenticated"]: "system:authenticated" is one of',
      ],
    ],
    [
      "an issuer, a name and AWS' names twice",
      { oidc: [oidc, oidc, { ...oidc, issuerUrl: AWS, usernamePrefix: "aws:" }], aws },
      [
        'access.oidc[2].usernamePrefix: "aws:" is for the users of access.aws',
        `access.oidc[1].issuerUrl: "${ISSUER}" is there twice`,
        `access.aws.issuerUrl: "${AWS}" is there twice`,
        'access.oidc[1].usernamePrefix: another issuer has "oidc:" too',
      ],
    ],
    [
      "no certificate",
      { oidc: [{ ...oidc, certificateAuthority: "LS0t" }] },
      ["access.oidc[0].certificateAuthority: it contains no certificate"],
    ],
    [
      "sessions, wildcards, groups without names",
      {
        aws: {
          issuerUrl: "https://a.example",
          roles: {
            "arn:aws:sts::123456789012:assumed-role/Dev/anna": ["a"],
            "arn:aws:iam::123456789012:role/*": [],
            [ROLE]: [" a"],
          },
        },
      },
      [
        'access.aws.roles["arn:aws:sts::123456789012:assumed-role/Dev/anna"]: this is a session',
        'access.aws.roles["arn:aws:iam::123456789012:role/*"]: this is no ARN',
        'access.aws.roles["arn:aws:iam::123456789012:role/*"]: it has no groups',
        `access.aws.roles["${ROLE}"]: " a" is no name of a group`,
      ],
    ],
    ["no role", { aws: { ...aws, roles: {} } }, ["access.aws.roles: it is empty"]],
    [
      "roles and namespaces without names",
      {
        groups: {
          a: { clusterRole: "a/b", namespaces: [] },
          b: { clusterRole: "edit", namespaces: ["A"] },
        },
      },
      [
        'access.groups["a"].clusterRole: "a/b" is no name',
        'access.groups["a"].namespaces: it is empty',
        'access.groups["b"].namespaces[0]: "A" can\'t be',
      ],
    ],
  ])("may not have %s", (_name, access, expected) => {
    const found = problems(access);
    expect(found.map((line, index) => line.slice(0, expected[index]?.length))).toEqual(expected);
  });

  it("may not be the issuer of service accounts, wherever its bucket is", () => {
    const issuerUrl = "https://sandbox-example-com-oidc.s3.eu-west-1.amazonaws.com";
    expect(problems({ oidc: [{ ...oidc, issuerUrl }] })).toEqual([]);
    expect(problems({ oidc: [{ ...oidc, issuerUrl }] }, { irsa: true })).toEqual([
      `access.oidc[0].issuerUrl: "${issuerUrl}" is the cluster's own issuer, for service accounts, whose tokens it accepts anyway: leave it out`,
    ]);
  });

  it("need a Kubernetes that reads such a file, and AWS the internet", () => {
    const older = {
      kubernetesVersion: "v1.29.3",
      talosVersion: "v1.10.9",
      versionContract: "v1.10",
    };
    expect(problems({ aws }, older)).toEqual([
      "access.aws: API servers of Kubernetes v1.29 don't read such issuers: take v1.30 or newer",
    ]);
    expect(problems({ groups: { a: { clusterRole: "edit" } } }, older)).toEqual([]);
    const network = { zones: ["us-east-1a"], internetAccess: false };
    expect(problems({ oidc: [oidc], aws }, { network })).toEqual([
      "access.aws: API servers read AWS' public keys on the internet, to which no endpoint leads, and network.internetAccess is false: use an issuer in the network with access.oidc, or leave it out",
    ]);
  });
});
