#include <stdlib.h>
#include "joints/prismatic.h"
#include "model/read_fields.h"

enum { FEWEST_CORNERS = 3 };

/* Room for the corners, which the profile owns. */
static FpStatus make_corners(FpReader* reader, size_t count, FpProfileDef* profile,
                             double** corners) {
    *corners = calloc(2 * count, sizeof **corners);
    profile->corners = *corners;
    profile->corner_count = (int)count;
    return *corners ? FREEPLAY_OK : fp_reader_out_of_memory(reader);
}

static FpStatus check_positive(FpReader* reader, const FpNode* node, double length) {
    if (length > 0) return FREEPLAY_OK;
    return fp_reader_refuse(reader, node, "is %g m; it must be positive", length);
}

static FpStatus read_regular(FpReader* reader, const FpNode* node, FpProfileDef* profile) {
    FpNode count_node = fp_node_member(node, "regular"), side_node = fp_node_member(node, "side");
    int count;
    double side, *corners;
    FpStatus status =
        fp_reader_whole(reader, &count_node, FEWEST_CORNERS, FREEPLAY_PROFILE_CORNERS, &count);
    if (!status) status = fp_reader_number(reader, &side_node, "m", &side);
    if (!status) status = check_positive(reader, &side_node, side);
    if (!status) status = make_corners(reader, (size_t)count, profile, &corners);
    if (!status) fp_profile_regular(count, side, corners);
    return status;
}

static FpStatus read_rectangle(FpReader* reader, const FpNode* node, FpProfileDef* profile) {
    FpNode edges = fp_node_member(node, "rectangle");
    double length[2], *corners;
    FpStatus status = fp_reader_numbers(reader, &edges, "m", 2, length);
    for (size_t i = 0; i < 2 && !status; i++) {
        FpNode edge = fp_node_element(&edges, i);
        status = check_positive(reader, &edge, length[i]);
    }
    if (!status) status = make_corners(reader, 4, profile, &corners);
    if (!status) fp_profile_rectangle(length[0], length[1], corners);
    return status;
}

static FpStatus read_corners(FpReader* reader, const FpNode* node, FpProfileDef* profile) {
    FpNode list = fp_node_member(node, "corners");
    FpStatus status = fp_reader_array(reader, &list, "corners [x, y]");
    if (status) return status;
    size_t count = json_array_size(list.value);
    if (count < FEWEST_CORNERS || count > FREEPLAY_PROFILE_CORNERS)
        return fp_reader_refuse(reader, &list, "has %zu corner%s; a profile needs %d to %d", count,
                                count == 1 ? "" : "s", FEWEST_CORNERS, FREEPLAY_PROFILE_CORNERS);
    double* corners;
    status = make_corners(reader, count, profile, &corners);
    for (size_t i = 0; i < count && !status; i++) {
        FpNode corner = fp_node_element(&list, i);
        status = fp_reader_numbers(reader, &corner, "m", 2, corners + 2 * i);
    }
    return status;
}

FpStatus fp_read_profile(FpReader* reader, const FpNode* node, FpProfileDef* profile) {
    static const FpForm forms[] = {{"regular and side", {"regular", "side"}},
                                   {"rectangle", {"rectangle"}},
                                   {"corners", {"corners"}}};
    static FpStatus (*const read[])(FpReader*, const FpNode*,
                                    FpProfileDef*) = {read_regular, read_rectangle, read_corners};
    size_t form = 0;
    FpStatus status = fp_reader_form(reader, node, forms, sizeof forms / sizeof forms[0], &form);
    return status ? status : read[form](reader, node, profile);
}
