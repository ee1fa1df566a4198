#pragma once

#include "base/result.h"
#include "cli/tour/guide.h"

// What is shown of each system. Each does what a user would do, and tells what came of it.
namespace waybill::cli::tour {

Status show_photo_editor(Guide& guide);
Status show_image_service(Guide& guide);
Status show_orchestrator(Guide& guide);
Status show_asset_creator(Guide& guide);
Status show_text_analyzer(Guide& guide);

}  // namespace waybill::cli::tour
