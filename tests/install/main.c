/* Uses one function of every kind, so that a library or header missing from the installation shows:
 * versions, a unit, a world with one body, and a step of free fall. */
#include <freeplay.h>
#include <math.h>
#include <stdio.h>

int main(void) {
    int count;
    const FpVersion* versions = fp_versions(&count);
    for (int i = 0; i < count; i++) printf("%s %s\n", versions[i].name, versions[i].version);

    FpMessage message;
    double clearance = 0.0;
    if (fp_quantity_parse("0.2 mm", "m", &clearance, &message) != FREEPLAY_OK) return 1;

    FpWorldDef world_def = fp_world_def_default();
    FpWorld* world = fp_world_create(&world_def);
    FpBodyDef ball_def = fp_body_def_default();
    ball_def.name = "ball";
    ball_def.mass = 2.0;
    fp_inertia_sphere(ball_def.mass, 0.1, ball_def.inertia);
    FpBodyId ball;
    FpStatus status = fp_world_add_body(world, &ball_def, &ball, &message);
    if (status == FREEPLAY_OK) status = fp_world_finish(world, &message);
    if (status == FREEPLAY_OK)
        printf("%s of %g kg, clearance %g m\n", fp_world_body_name(world, ball),
               fp_world_body_mass(world, ball), clearance);
    else
        fprintf(stderr, "%s: %s\n", fp_status_text(status), message.text);
    fp_world_destroy(world);
    return status == FREEPLAY_OK && fabs(clearance - 0.0002) < 1e-15 ? 0 : 1;
}
