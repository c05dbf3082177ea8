// Original file: provider/api/proto/inspect/inspect.proto

import type { DependencyEdgeType as _inspect_DependencyEdgeType, DependencyEdgeType__Output as _inspect_DependencyEdgeType__Output } from '../inspect/DependencyEdgeType';

export interface ControllerDependencyEdge {
  'controllerName'?: (string);
  'edgeType'?: (_inspect_DependencyEdgeType);
  'resourceNamespace'?: (string);
  'resourceType'?: (string);
  'resourceId'?: (string);
}

export interface ControllerDependencyEdge__Output {
  'controllerName': (string);
  'edgeType': (_inspect_DependencyEdgeType__Output);
  'resourceNamespace': (string);
  'resourceType': (string);
  'resourceId': (string);
}
