// Original file: provider/api/proto/machine/lvm.proto


export interface LVMServiceLogicalVolumeRemoveRequest {
  'volumeGroup'?: (string);
  'logicalVolume'?: (string);
}

export interface LVMServiceLogicalVolumeRemoveRequest__Output {
  'volumeGroup': (string);
  'logicalVolume': (string);
}
