// Original file: provider/api/proto/machine/machine.proto


export interface ContainerInfo {
  'namespace'?: (string);
  'id'?: (string);
  'image'?: (string);
  'pid'?: (number);
  'status'?: (string);
  'podId'?: (string);
  'name'?: (string);
  'networkNamespace'?: (string);
  'internalId'?: (string);
  'uid'?: (string);
}

export interface ContainerInfo__Output {
  'namespace': (string);
  'id': (string);
  'image': (string);
  'pid': (number);
  'status': (string);
  'podId': (string);
  'name': (string);
  'networkNamespace': (string);
  'internalId': (string);
  'uid': (string);
}
