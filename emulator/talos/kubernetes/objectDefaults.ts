import { isMapping } from "../../../provider/config";
import {
  listAt,
  objectAt,
  type Json,
  type JsonObject,
  type KubernetesObject,
} from "./kubernetesObject";

/**
 * An object with the API server's defaults, as far as clients usually see them. A client that
 * compares its object with the stored one sees these differences. Source: kubernetes v1.35,
 * `apis/*\/v1/defaults.go`.
 */
export function withDefaults(object: KubernetesObject): KubernetesObject {
  switch (object.kind) {
    case "Pod":
      return { ...object, spec: podSpec(objectAt(object, "spec")) };
    case "Deployment":
      return withTemplate(object, {
        replicas: 1,
        strategy: rollingUpdate(objectAt(object, "spec", "strategy"), "25%", "25%"),
        revisionHistoryLimit: 10,
        progressDeadlineSeconds: 600,
      });
    case "ReplicaSet":
      return withTemplate(object, { replicas: 1 });
    case "DaemonSet":
      return withTemplate(object, {
        updateStrategy: rollingUpdate(objectAt(object, "spec", "updateStrategy"), 1, 0),
        revisionHistoryLimit: 10,
      });
    case "StatefulSet": {
      const given = objectAt(object, "spec", "updateStrategy");
      const rolled = { partition: 0, ...objectAt(given, "rollingUpdate") };
      return withTemplate(object, {
        replicas: 1,
        podManagementPolicy: "OrderedReady",
        revisionHistoryLimit: 10,
        updateStrategy:
          given.type === "OnDelete"
            ? given
            : { type: "RollingUpdate", ...given, rollingUpdate: rolled },
      });
    }
    case "Secret":
      return secret(object);
    case "Service":
      return {
        ...object,
        spec: { sessionAffinity: "None", type: "ClusterIP", ...objectAt(object, "spec") },
      };
    default:
      return object;
  }
}

function withTemplate(object: KubernetesObject, defaults: JsonObject): KubernetesObject {
  const spec = objectAt(object, "spec");
  const template = objectAt(spec, "template");
  const pods = podSpec(objectAt(template, "spec"));
  const { strategy, updateStrategy, ...rest } = defaults;
  const strategies = {
    ...(strategy === undefined ? {} : { strategy }),
    ...(updateStrategy === undefined ? {} : { updateStrategy }),
  };
  return {
    ...object,
    spec: { ...rest, ...spec, ...strategies, template: { ...template, spec: pods } },
  };
}

function rollingUpdate(given: JsonObject, maxUnavailable: Json, maxSurge: Json): JsonObject {
  if (typeof given.type === "string" && given.type !== "RollingUpdate") {
    return given;
  }
  const limits = { maxUnavailable, maxSurge, ...objectAt(given, "rollingUpdate") };
  return { type: "RollingUpdate", ...given, rollingUpdate: limits };
}

function podSpec(spec: JsonObject): JsonObject {
  return {
    restartPolicy: "Always",
    terminationGracePeriodSeconds: 30,
    dnsPolicy: "ClusterFirst",
    securityContext: {},
    schedulerName: "default-scheduler",
    ...spec,
    containers: listAt(spec, "containers").map(container),
    ...("initContainers" in spec
      ? { initContainers: listAt(spec, "initContainers").map(container) }
      : {}),
    ...(typeof spec.serviceAccountName === "string"
      ? { serviceAccount: spec.serviceAccountName }
      : {}),
  };
}

function container(given: Json): Json {
  if (!isMapping(given)) {
    return given;
  }
  const image = typeof given.image === "string" ? given.image : "";
  const isLatest = image.endsWith(":latest") || !/:[^/]*$/.test(image);
  return {
    resources: {},
    terminationMessagePath: "/dev/termination-log",
    terminationMessagePolicy: "File",
    imagePullPolicy: isLatest ? "Always" : "IfNotPresent",
    ...given,
    ...("env" in given ? { env: listAt(given, "env").map(variable) } : {}),
    ...("ports" in given
      ? {
          ports: listAt(given, "ports").map((port) =>
            isMapping(port) ? { protocol: "TCP", ...port } : port,
          ),
        }
      : {}),
  };
}

function variable(given: Json): Json {
  const source = objectAt(given, "valueFrom");
  return isMapping(given) && isMapping(source.fieldRef)
    ? { ...given, valueFrom: { ...source, fieldRef: { apiVersion: "v1", ...source.fieldRef } } }
    : given;
}

function secret(object: KubernetesObject): KubernetesObject {
  const { stringData, ...rest } = object;
  const encoded = Object.entries(isMapping(stringData) ? stringData : {}).map(
    ([key, value]) =>
      [key, Buffer.from(typeof value === "string" ? value : "").toString("base64")] as const,
  );
  const data = { ...objectAt(object, "data"), ...Object.fromEntries(encoded) };
  return { type: "Opaque", ...rest, ...(Object.keys(data).length > 0 ? { data } : {}) };
}
